// What is loaded when it is first needed.

export { default as HowToPlay } from './panels/HowToPlay.svelte';
export { default as LineEditor } from './panels/LineEditor.svelte';
export { default as DailyPanel } from './panels/DailyPanel.svelte';
export { default as ParPanel } from './panels/ParPanel.svelte';
export { default as Daily } from './pages/Daily.svelte';
export { default as PictureReader } from './panels/PictureReader.svelte';
export { default as Practice } from './panels/Practice.svelte';
export { default as MyGames } from './pages/MyGames.svelte';
