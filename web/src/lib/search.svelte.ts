import * as api from './api';
import type { Report, Sheet } from './types';

/** What a search is about: a position, and who is asked. */
export const subjectOf = (sheet: Sheet | null, whom = ''): string => (sheet ? `${sheet.game} ${sheet.position} ${whom}` : '');

/** A search that runs, has run, or was cancelled. */
export class Search {
  running = $state(false);
  /** What it is about. Reports are shown beside nothing else. */
  subject = $state('');
  /** What is known so far; fields of earlier reports stay. */
  report = $state.raw<Report | null>(null);
  /** Whether `report` is the final reply. */
  finished = $state(false);
  error = $state<string | null>(null);
  elapsed = $state(0);
  limit = $state(0);

  private control: AbortController | null = null;

  /** Searches; `null` when it was cancelled or failed. A search under way is cancelled. */
  async run(asked: api.Asked, subject: string): Promise<Report | null> {
    this.cancel();
    this.subject = subject;
    const control = new AbortController();
    this.control = control;
    this.running = true;
    this.finished = false;
    this.report = null;
    this.error = null;
    this.limit = asked.time_ms ?? 0;
    const begin = performance.now();
    const tick = setInterval(() => (this.elapsed = performance.now() - begin), 100);
    this.elapsed = 0;
    const current = () => this.control === control;
    try {
      const hear = (report: Report) => {
        if (current()) this.report = merged(this.report, report);
      };
      const reply = await api.analyze(asked, hear, control.signal);
      if (!current()) return null;
      this.report = reply;
      this.finished = true;
      return reply;
    } catch (error) {
      if (current() && !control.signal.aborted) {
        this.error = error instanceof Error ? error.message : String(error);
      }
      return null;
    } finally {
      clearInterval(tick);
      if (current()) {
        this.running = false;
        this.control = null;
      }
    }
  }

  /** Ends it; the server notices by the closed connection. */
  cancel = (): void => {
    this.control?.abort();
    this.control = null;
    this.running = false;
  };

  /** Forgets what was found. */
  clear(): void {
    this.cancel();
    this.report = null;
    this.finished = false;
    this.error = null;
  }
}

/** The newer report, with what only the older one tells. */
function merged(older: Report | null, newer: Report): Report {
  const told = Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null));
  return { ...older, ...told };
}
