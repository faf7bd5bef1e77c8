/** Renews certificates: looked at after each login and daily, at once where one is over (CERT-C15, CERT-C20). */
import { orderCall } from '../outbound/order-call.ts'
import type { Subject } from './subject.ts'

const DAY_MS = 24 * 3600_000
const RENEWAL_MS = 30 * DAY_MS
const TTL_MS = 60_000

export const renewal: Subject = {
  name: 'renewal',
  records: [],
  purposes: [],
  due({ shown, connection, version, renewal: { notBefore } }, now) {
    if (!shown || connection === undefined || !version) return []
    return shown.notAfter - now <= RENEWAL_MS && notBefore <= now ? [{ key: '' }] : []
  },
  async order(context, { id, version, renewal: times }) {
    if (!version) return
    const now = context.clock.now()
    times.asked(now)
    await orderCall(context, {
      stationId: id,
      call: version.certificateTrigger,
      purpose: { kind: 'certificateTrigger' },
      expiresAt: now + TTL_MS,
    })
  },
  dueAgainAt({ shown, connection, renewal: { notBefore } }, now) {
    if (!shown || connection === undefined) return undefined
    const from = Math.max(notBefore, shown.notAfter - RENEWAL_MS)
    return from > now ? Math.min(from, now + DAY_MS) : undefined
  },
}
