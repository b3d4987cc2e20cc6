// Pictures of boards: made small enough for the server, and read there.
import { ask } from './api';
import { t } from './text/index.svelte';

/** Pictures need not be larger: cells stay dozens of pixels wide. */
const LONGEST_SIDE = 1600;
/** The server takes 2 MiB. */
const MOST_BYTES = 1.9e6;
const QUALITIES = [0.92, 0.8, 0.6, 0.4];

export type Point = [number, number];

/** What the server read from a picture. */
export interface Reading {
  /** `null` when the cells make no position; `fault` says why. */
  position: string | null;
  fault?: string;
  method: string;
  /** From the top left, clockwise, in pixels of the picture. */
  corners: [Point, Point, Point, Point];
  doubtful: [number, number][];
  notes: string[];
}

/** A picture that is small enough, with its size. */
export interface Shrunk {
  bytes: Blob;
  width: number;
  height: number;
}

/** Makes a picture small enough to be sent. Throws where the browser cannot show it. */
export async function shrink(file: Blob): Promise<Shrunk> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.max(1, Math.round(scale * bitmap.width)), Math.max(1, Math.round(scale * bitmap.height))];
  if (scale === 1 && file.size <= MOST_BYTES && /png|jpe?g/.test(file.type)) return { bytes: file, width, height };
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
  for (const quality of QUALITIES) {
    const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
    if (bytes && bytes.size <= MOST_BYTES) return { bytes, width, height };
  }
  throw new Error(t('pictureLarge'));
}

/** Asks the server what a picture shows; corners are found there unless they are given. */
export async function read(game: string, { bytes }: Shrunk, corners: Reading['corners'] | null): Promise<Reading> {
  const query = new URLSearchParams({ game, ...(corners ? { corners: corners.flat().map(Math.round).join(',') } : {}) });
  return (await ask(`/api/read?${query}`, bytes)).json();
}

/** The first picture among what was pasted or dropped. */
export const pictureIn = (data: DataTransfer | null): File | undefined =>
  [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'));
