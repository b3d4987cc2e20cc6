import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The names of the files are fixed: the server has them compiled in, and tells
// browsers by a tag when they have changed. Boards of games and the editor are
// files of their own, which a browser asks for when they are shown.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../crates/ludens-web/assets',
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        // Rules, statistics, puzzles, practice and pictures are one file: src/more.ts.
        chunkFileNames: '[name].js',
        assetFileNames: 'app[extname]',
      },
    },
  },
});
