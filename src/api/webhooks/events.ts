/** The pull feed: the same envelopes, for those who were away longer than retries last (HOOK-S7). */

import { PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { bodyForApplication, EVENTS, SESSION_EVENT } from '../../domain/events/registry.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { uuidTime } from '../../domain/message-log/log-id.ts'
import { type Principal, sharedChargePoints } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { invalidRequest, jsonText, Problem } from '../respond.ts'
import { requireEventScope } from './owner.ts'
import { EventListSchema, eventQuery } from './schemas.ts'

/** HOOK-F6: as long as every event is kept. Those whose delivery failed stay longer, with gaps between them. */
const RETENTION_MS = 30 * 24 * 3600_000
const LOOK_MS = 250

export function addEvents(api: Api): void {
  const { reads, now, after: later, stopping } = api
  resource(api, { tag: 'Webhooks', path: '/2/events' }).get('', 'listEvents', 'List events, oldest first', {
    description:
      'The envelopes that webhooks deliver. meta.nextCursor is there while more remain; the id of the last event seen is the next `after`, now or later. Other events than those of sessions are read by their `type`.',
    query: eventQuery,
    inspect: ({ query }) => ({ faults: typeFaults(query.type) }),
    // The cursor of this list is an event, so that it never expires unnoticed; every other list has one called so.
    hints: { cursor: 'does not exist here: send meta.nextCursor as after' },
    problems: [410],
    ok: [EventListSchema, 'A page of events'],
    async handle({
      principal,
      admit,
      query: { after, from = 0, type = SESSION_EVENT, limit = PAGE_DEFAULT, wait = 0 },
      context,
    }) {
      requireEventScope(principal, [type])
      if (after !== undefined) requireKept(after, now())
      const look = (caller: Principal): ReturnType<typeof reads.listEvents> => {
        const chargePointIds = sharedChargePoints(caller)
        return reads.listEvents({
          accountId: caller.accountId,
          chargePointIds,
          type,
          afterId: after,
          from: Math.max(from, now() - RETENTION_MS),
          limit: limit + 1,
        })
      }
      const deadline = now() + wait * 1000
      let looks = 0
      const mayWait = (): boolean =>
        now() < deadline && looks++ * LOOK_MS < wait * 1000 && !context.req.raw.signal.aborted && !stopping?.aborted
      let found = await look(principal)
      while (found.length === 0 && mayWait()) {
        await new Promise<void>((resolve) => {
          later(LOOK_MS, resolve)
        })
        found = await look(await admit())
      }
      if (found === 'unknown') throw invalidRequest([NOT_AN_EVENT])
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      const meta = last ? { nextCursor: last.id } : {}
      const isApplication = principal.kind === 'token'
      const bodies = page.map(({ body }) => (isApplication ? bodyForApplication(type, body) : body))
      return jsonText(`{"data":[${bodies.join(',')}],"meta":${JSON.stringify(meta)}}`)
    },
  })
}

/** HOOK-E3: says which name it does not know; it may be one of a newer version. */
function typeFaults(type: string | undefined): readonly Fault[] {
  const names: readonly string[] = namesOf(EVENTS)
  if (type === undefined || names.includes(type)) return []
  const reported = JSON.stringify(type.slice(0, 100))
  const message = `there is no event type ${reported}; must be one of ${names.join(', ')}`
  return [{ pointer: '?type', code: 'invalid_value', message }]
}

const NOT_AN_EVENT = { pointer: '?after', code: 'invalid_value', message: 'must be the id of an event' }

/** @throws Problem 410 `position_expired`: going on from there would leave out what is no longer kept, unnoticed */
function requireKept(after: string, now: number): void {
  const time = uuidTime(after)
  if (time === undefined || time >= now - RETENTION_MS) return
  const detail = 'Events since then are no longer kept; read the sessions instead and go on from the oldest event.'
  throw new Problem(410, 'position_expired', detail)
}
