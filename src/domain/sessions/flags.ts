/**
 * Findings about a transaction (SESSION-S2): a small set that keeps its order and its identity while nothing is new.
 */
import type { Flag } from '../ports/sessions.ts'

export function withFlags(flags: readonly Flag[], more: readonly Flag[]): readonly Flag[] {
  const added = more.filter((flag, index) => !flags.includes(flag) && more.indexOf(flag) === index)
  return added.length === 0 ? flags : [...flags, ...added]
}

export function withoutFlag(flags: readonly Flag[], flag: Flag): readonly Flag[] {
  return flags.includes(flag) ? flags.filter((other) => other !== flag) : flags
}

/** Adds or removes one flag, whichever the condition says. */
export function setFlag(flags: readonly Flag[], flag: Flag, present: boolean): readonly Flag[] {
  return present ? withFlags(flags, [flag]) : withoutFlag(flags, flag)
}
