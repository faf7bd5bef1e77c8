/** Hours in which a station may be restarted (CONFIG-A8), in the time zone of their place. */
import type { RebootWindow } from '../../blocks/intents/records.ts'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export function isOpen({ start, end, timeZone, days }: RebootWindow, now: number): boolean {
  const { day, minute } = localTime(timeZone, now)
  const [from, to] = [minuteOf(start), minuteOf(end)]
  const begins = (on: number): boolean => days === undefined || days.includes(DAYS[(on + 7) % 7] ?? '')
  if (from < to) return minute >= from && minute < to && begins(day)
  // Over midnight: behind it the window is the one that began the day before.
  return (minute >= from && begins(day)) || (minute < to && begins(day - 1))
}

function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function localTime(timeZone: string, now: number): { readonly day: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
  return {
    day: DAYS.indexOf(part('weekday').toLowerCase()),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  }
}
