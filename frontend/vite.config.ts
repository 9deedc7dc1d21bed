import { defineConfig } from "vitest/config";
import { denseProperties } from "./dense_properties.ts";
import { denseTemplates } from "./dense_templates.ts";

export default defineConfig({
  plugins: [denseProperties, denseTemplates],
  build: {
    outDir: "../custom_components/caesar/frontend",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: "src/main.ts",
      output: {
        format: "es",
        entryFileNames: "caesar-panel.js",
        codeSplitting: false,
      },
    },
  },
  test: { environment: "node", include: ["tests/**/*.test.ts"] },
});
