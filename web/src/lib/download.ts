/** Gives a record to the person as a file. */
export function download(game: string, record: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([record], { type: 'text/plain' }));
  link.download = `${game.replace(/[^a-z0-9]+/g, '-')}.ludens`;
  link.click();
  URL.revokeObjectURL(link.href);
}
