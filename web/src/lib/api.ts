import { backOff, connection } from './connection.svelte';
import type { ArenaGame, Catalogue, Contest, Evaluation, Game, Place, Puzzle, Report, Run, Sheet } from './types';

/** What went wrong, in the server's words. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** Seconds to wait, when the server is busy. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Asks the server; a body is JSON, or bytes as they are. Throws what it says where it refuses. */
export async function ask(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit =
    body === undefined
      ? { signal }
      : body instanceof Blob
        ? { method: 'POST', body, headers: { 'content-type': 'application/octet-stream' }, signal }
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, signal };
  const response = await reach(path, init, signal);
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const retry = response.headers.get('retry-after');
  throw new ApiError(told.error ?? `${response.status}`, response.status, retry === null ? null : Number(retry));
}

/** Asks until there is an answer: the server keeps nothing, so asking again does no harm. */
async function reach(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await fetch(path, init);
      connection.lost = false;
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
    }
    await backOff(attempt, signal);
  }
}

async function document<T>(path: string, body?: unknown): Promise<T> {
  return (await ask(path, body)).json();
}

export const catalogue = () => document<Catalogue>('/api/games');
/** A game with its variant: who can be asked and played against. */
export const game = (spec: string) => document<Game>('/api/game', { game: spec });
export const position = (place: Place) => document<Sheet>('/api/position', place);
export const record = (place: Place & { one?: string; two?: string }) =>
  document<{ record: string }>('/api/record', place);
export const results = () =>
  document<{ evaluations: Evaluation[]; contests: Contest[]; games: ArenaGame[] }>('/api/results');
/** The puzzle of a game and day. */
export const puzzle = (game: string, date: string) =>
  document<Puzzle>(`/api/puzzle?${new URLSearchParams({ game, date })}`);
/** Enters a finished game into the ratings. */
export const enter = (name: string, record: string) =>
  document<{ entered: boolean; name: string }>('/api/games', { name, record });
export const runs = () => document<{ runs: Run[] }>('/api/runs');

/** What a search is asked for, besides the position. */
export interface Asked extends Place {
  solver?: string;
  agent?: string;
  prove?: boolean;
  time_ms?: number;
  nodes?: number;
  /** How many nodes of an agent's tree the reply shows. */
  tree?: number;
  threads?: number;
}

/** How often a search whose server went away is begun. */
const BEGINNINGS = 5;

/** Searches; `hear` gets every report. Ends with the reply, or throws. */
export async function analyze(asked: Asked, hear: (report: Report) => void, signal: AbortSignal): Promise<Report> {
  for (let attempt = 0; attempt < BEGINNINGS; attempt++) {
    const reply = await listen(await ask('/api/analyze', asked, signal), hear, signal);
    if (reply) return reply;
    await backOff(attempt, signal);
  }
  throw new ApiError('The search broke off.', 0);
}

/** Hears a search to its end; `null` when it broke off. */
async function listen(response: Response, hear: (report: Report) => void, signal: AbortSignal): Promise<Report | null> {
  try {
    for await (const { event, data } of events(response)) {
      const value = JSON.parse(data);
      if (event === 'done') return value;
      if (event === 'error') throw new ApiError(value.error, 200);
      hear(value);
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error;
  }
  return null;
}

/** The server-sent events of a response. */
async function* events(response: Response): AsyncGenerator<{ event: string; data: string }> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join('\n');
      const data = field('data');
      if (data) yield { event: field('event'), data };
    }
  }
}
