// Days as `YYYY-MM-DD`, where they begin in Oslo: there Former is published.

const OSLO = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Oslo',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function parts(now: number): Record<string, string> {
  return Object.fromEntries(OSLO.formatToParts(now).map(({ type, value }) => [type, value]));
}

/** The day in Oslo. */
export function today(now = Date.now()): string {
  const { year, month, day } = parts(now);
  return `${year}-${month}-${day}`;
}

/** The day so many days after another. */
export function daysAfter(date: string, count: number): string {
  const noon = new Date(`${date}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() + count);
  return noon.toISOString().slice(0, 10);
}

/** Hours, minutes and seconds until the next day begins in Oslo, such as `05:12:33`. An hour that
 * summer time adds or takes on the way is in it only once it has come. */
export function untilTomorrow(now = Date.now()): string {
  const { hour, minute, second } = parts(now);
  const left = 86_400 - (3600 * Number(hour) + 60 * Number(minute) + Number(second));
  return [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** How many days in a row are among some, up to a day or the one before it. */
export function streak(days: ReadonlySet<string>, date = today()): number {
  let day = days.has(date) ? date : daysAfter(date, -1);
  let count = 0;
  for (; days.has(day); day = daysAfter(day, -1)) count += 1;
  return count;
}

/** The longest row of days among some. */
export function longestStreak(days: ReadonlySet<string>): number {
  return Math.max(0, ...[...days].filter((day) => !days.has(daysAfter(day, 1))).map((last) => streak(days, last)));
}
