/** What screen readers are told; the region is in App.svelte. */
export const spoken = $state({ text: '' });

export function announce(text: string): void {
  spoken.text = text;
}
