using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Grpc.Core;
using Grpc.Net.Client;
using Shisanzhi.V1;
using Xunit;

namespace Shisanzhi.Tests
{
    /// <summary>Calls that were recorded from a real server: the same bytes go out, and mean the same coming in.</summary>
    public sealed class WireVectorTests
    {
        private static readonly ServiceDescriptor Service = GameLogicServiceReflection.Descriptor.Services.Single();
        private static readonly Marshaller<byte[]> Raw = Marshallers.Create<byte[]>(bytes => bytes, bytes => bytes);
        private static readonly IReadOnlyList<JsonElement> Calls = Vectors.Read("wire/calls.jsonl");

        public static IEnumerable<object[]> Lines()
        {
            return Enumerable.Range(0, Calls.Count).Select(line => new object[] { line });
        }

        [Theory]
        [MemberData(nameof(Lines))]
        public void Messages_have_the_recorded_bytes(int line)
        {
            JsonElement call = Calls[line];
            MethodDescriptor method = Service.FindMethodByName(call.GetProperty("method").GetString());
            if (method != null)
            {
                SameBytes(call, "request", method.InputType);
                SameBytes(call, "response", method.OutputType);
            }
        }

        [Theory]
        [MemberData(nameof(Lines))]
        public void Calls_end_as_recorded(int line)
        {
            JsonElement call = Calls[line];
            using ReplayHandler handler = new ReplayHandler(call);
            using GrpcChannel channel = GrpcChannel.ForAddress("http://recorded", GameLogic.Options(handler));
            Method<byte[], byte[]> method = new Method<byte[], byte[]>(
                MethodType.Unary, Service.FullName, call.GetProperty("method").GetString(), Raw, Raw);
            byte[] request = Convert.FromHexString(call.GetProperty("request").GetString());
            StatusCode status = (StatusCode)call.GetProperty("status").GetInt32();

            if (status == StatusCode.OK)
            {
                byte[] response = GameLogic.Invoker(channel).BlockingUnaryCall(method, null, default, request);
                Assert.Equal(call.GetProperty("response").GetString(), Hex(response));
                return;
            }

            CallException error = Assert.Throws<CallException>(
                () => GameLogic.Invoker(channel).BlockingUnaryCall(method, null, default, request));
            Assert.Equal(status, error.Code);
            SameFaults(call.GetProperty("details_json"), error);
        }

        private static void SameBytes(JsonElement call, string field, MessageDescriptor type)
        {
            JsonElement readable = call.GetProperty(field + "_json");
            if (readable.ValueKind == JsonValueKind.Null)
            {
                return;
            }

            string recorded = call.GetProperty(field).GetString();
            IMessage written = JsonParser.Default.Parse(readable.GetRawText(), type);
            Assert.Equal(recorded, Hex(written.ToByteArray()));
            IMessage read = type.Parser.ParseFrom(Convert.FromHexString(recorded));
            Assert.Equal(written, read);
        }

        private static void SameFaults(JsonElement status, CallException error)
        {
            if (status.ValueKind == JsonValueKind.Null)
            {
                Assert.Equal(string.Empty, error.Reason);
                return;
            }

            JsonElement info = Detail(status, "google.rpc.ErrorInfo").Value;
            Assert.Equal(info.GetProperty("reason").GetString(), error.Reason);
            JsonElement? badRequest = Detail(status, "google.rpc.BadRequest");
            IEnumerable<(string, string)> expected = badRequest == null
                ? Enumerable.Empty<(string, string)>()
                : badRequest.Value.GetProperty("field_violations").EnumerateArray()
                    .Select(each => (Optional(each, "field"), Optional(each, "reason")));
            Assert.Equal(expected, error.Faults.Select(fault => (fault.Path, fault.Reason)));
        }

        private static JsonElement? Detail(JsonElement status, string type)
        {
            foreach (JsonElement detail in status.GetProperty("details").EnumerateArray())
            {
                if (detail.GetProperty("@type").GetString() == "type.googleapis.com/" + type)
                {
                    return detail;
                }
            }

            return null;
        }

        /// <summary>Reads a text, which protobuf's JSON leaves out where it is empty.</summary>
        private static string Optional(JsonElement element, string name)
        {
            return element.TryGetProperty(name, out JsonElement value) ? value.GetString() : string.Empty;
        }

        private static string Hex(byte[] bytes)
        {
            return Convert.ToHexString(bytes).ToLowerInvariant();
        }
    }
}
