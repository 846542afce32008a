//! Generates the contract's messages and client; needs `protoc`.

use std::io;

fn main() -> io::Result<()> {
    tonic_prost_build::configure()
        .build_server(false)
        .compile_protos(&["proto/shisanzhi/v1/game_logic_service.proto"], &["proto"])
}
