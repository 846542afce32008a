import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    // Nothing is written into the page itself: its Content-Security-Policy allows no inline script or style.
    modulePreload: false,
    assetsInlineLimit: 0,
  },
});
