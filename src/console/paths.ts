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
export function sessionsPath(
  { root }: Root,
  narrowing: { readonly chargePoint?: string | undefined; readonly before?: string } = {},
): string {
  const { chargePoint, before } = narrowing
  const query = new URLSearchParams({
    ...(chargePoint !== undefined && { chargePoint }),
    ...(before !== undefined && { before }),
  })
  return `${root}/charging-sessions${query.size > 0 ? `?${query}` : ''}`
}

export function sessionPath({ root }: Root, id: string): string {
  return `${root}/charging-sessions/${encodeURIComponent(id)}`
}
