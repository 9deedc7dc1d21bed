import { defineConfig } from "vitest/config";
import { denseTemplates } from "./dense_templates.ts";

export default defineConfig({
  plugins: [denseTemplates],
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
