/** `{ start: '22:00', end: '05:00', timeZone: 'Europe/Berlin' }`: an end not after the start is on the next day. */
export interface DailyHours {
  readonly start: string
  readonly end: string
  readonly timeZone: string
  /** On which days it begins, such as `mon`; absent: on all of them. */
  readonly days?: readonly string[] | undefined
}
