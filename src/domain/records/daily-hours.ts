/**
 * Hours of the day in a time zone, such as `{ start: '22:00', end: '05:00', timeZone: 'Europe/Berlin' }`. An end that
 * is not after the start belongs to the next day.
 */
export interface DailyHours {
  readonly start: string
  readonly end: string
  readonly timeZone: string
  /** On which days it begins, such as `mon`; absent: on all of them. */
  readonly days?: readonly string[] | undefined
}
