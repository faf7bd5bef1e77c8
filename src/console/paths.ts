import type { Frame } from '../web/entries.tsx'

type Root = Pick<Frame, 'root'>
export type Narrowing = Readonly<Record<string, string | readonly string[] | undefined>>

function named(list: string) {
  return ({ root }: Root, id: string): string => `${root}${list}/${encodeURIComponent(id)}`
}

export const cardPath = named('/id-tokens')
export const chargePointPath = named('/charge-points')
export const locationPath = named('/locations')
export const sessionPath = named('/charging-sessions')

export function newChargePointPath({ root }: Root, id: string): string {
  return `${root}/new-charge-point${queryText({ id })}`
}

export function messagePath(frame: Root, chargePointId: string, commandId: string): string {
  return `${chargePointPath(frame, chargePointId)}/messages/${commandId}`
}

export function sessionsPath({ root }: Root, narrowing: Narrowing = {}): string {
  return `${root}/charging-sessions${queryText(narrowing)}`
}

export function sessionsCsvPath({ root }: Root, narrowing: Narrowing): string {
  return `${root}/charging-sessions.csv${queryText(narrowing)}`
}

/** The question before an order (CONSOLE-J3). */
export function askOrderPath(frame: Root, chargePointId: string, order: Narrowing): string {
  return `${chargePointPath(frame, chargePointId)}/orders${queryText(order)}`
}

/** Dots alone are no step of an address: browsers take them away. */
export function sitePath({ root }: Root, site: string): string {
  return /^\.{1,2}$/.test(site)
    ? `${root}/charge-points${queryText({ site })}`
    : `${root}/sites/${encodeURIComponent(site)}`
}

/** With its question mark, unless all members are absent. Several values are repeated. */
export function queryText(members: Narrowing): string {
  const query = new URLSearchParams()
  for (const [name, value = []] of Object.entries(members)) {
    for (const one of typeof value === 'string' ? [value] : value) query.append(name, one)
  }
  return query.size > 0 ? `?${query}` : ''
}
