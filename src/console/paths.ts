/** Where the operator's pages stand, for those that link to each other. */
import type { Frame } from '../web/layout.tsx'

type Root = Pick<Frame, 'root'>

export function chargePointPath({ root }: Root, id: string): string {
  return `${root}/charge-points/${encodeURIComponent(id)}`
}

/** @param commandId the row's public id */
export function messagePath(frame: Root, chargePointId: string, commandId: string): string {
  return `${chargePointPath(frame, chargePointId)}/messages/${commandId}`
}

/** @param narrowing what the list is narrowed to: the members that are there */
export function sessionsPath({ root }: Root, narrowing: Readonly<Record<string, string | undefined>> = {}): string {
  return `${root}/charging-sessions${queryText(narrowing)}`
}

/** The same as a file. */
export function sessionsCsvPath({ root }: Root, narrowing: Readonly<Record<string, string | undefined>>): string {
  return `${root}/charging-sessions.csv${queryText(narrowing)}`
}

/** With its question mark, unless all members are absent. */
export function queryText(members: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

export function sessionPath({ root }: Root, id: string): string {
  return `${root}/charging-sessions/${encodeURIComponent(id)}`
}
