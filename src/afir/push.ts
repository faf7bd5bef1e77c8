/**
 * Sends a national access point what changes (AFIR-A2). What is due follows from how far it has confirmed, which is
 * committed after its answer, and from the feed: nothing is kept for it, and nothing is lost.
 */
import { readFileSync } from 'node:fs'
import type { Settings } from '../config/config.ts'
import { isSuccess, judge } from '../domain/deliveries/outcome.ts'
import { isRecent } from '../domain/due.ts'
import { type IsKeeper, periodically } from '../domain/periodic.ts'
import type { Clock, Log } from '../domain/ports/core.ts'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import { systemResolve } from '../webhooks/sending/resolve.ts'
import { createSender, type PostResult, SENDER_TIMEOUTS, type Sender } from '../webhooks/sending/sender.ts'
import { type Feed, OVERLAP_MS, type Ready } from './feed.ts'
import { plain } from './parts.ts'

interface PushContext {
  readonly feed: Pick<Feed, 'pushed' | 'revision'>
  readonly reads: Pick<Reads, 'getRecord'>
  readonly writes: Pick<Writes, 'putRecords'>
  readonly clock: Clock
  readonly isKeeper?: IsKeeper | undefined
  readonly log: Log
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly userAgent: string
  readonly settings: PushSettings
  readonly sender?: Sender
}

type PushSettings = Pick<
  Settings,
  'afirPushToken' | 'afirPushCertFile' | 'afirPushKeyFile' | 'webhookScheduleSeconds' | 'webhookAllowPrivate'
> & { readonly afirPushUrl: string }

export interface Push {
  /** Since when there is something that the access point has not taken. */
  readonly waitingSince: () => number | undefined
  readonly stop: () => Promise<void>
}

/** At most one request in that time. */
const EVERY_MS = 1000
const SNAPSHOT_MS = 6 * 3600_000
const MAX_DELTAS = 3500
/** The law knows a minute: it is never left alone for as long as a webhook. */
const MAX_WAIT_MS = 600_000
/** A whole status of a large network takes its time. */
const TOTAL_TIMEOUT_MS = 120_000
/** A certificate that cannot be read, a database that does not answer. */
const AFTER_FAULT_MS = 30_000
const SHOWN_CHARACTERS = 500

export function startPush(context: PushContext): Push {
  const { feed, reads, writes, clock, isKeeper, log, random, settings } = context
  const { afirPushUrl: url, webhookScheduleSeconds: schedule, webhookAllowPrivate: allowPrivate } = settings
  const timeouts = { ...SENDER_TIMEOUTS, totalTimeoutMs: TOTAL_TIMEOUT_MS }
  const sender = context.sender ?? createSender({ ...timeouts, allowPrivate }, clock, systemResolve)
  const stopping = new AbortController()
  /** Of the feed: what was found until then is confirmed. */
  let revision = 0
  let waitingSince: number | undefined
  let failures = 0
  let notBefore = 0

  const work = async (): Promise<void> => {
    const isOurs = isKeeper ? await isKeeper() : true
    if (!isOurs) waitingSince = undefined
    if (!isOurs || clock.monotonic() < notBefore) return
    const position = await reads.getRecord('afir_pushes', { url })
    const now = clock.now()
    const known =
      position && position.deltas < MAX_DELTAS && isRecent(position.snapshotAt, now, SNAPSHOT_MS) ? position : undefined
    if (known && feed.revision() === revision) return
    const ready = await feed.pushed(known && { at: known.confirmedAt - OVERLAP_MS, revision })
    if (!ready.isEmpty) {
      waitingSince ??= now
      const result = await sender.send(requestOf(context, ready), stopping.signal)
      if (result.error === 'interrupted') return
      if (!isSuccess(result)) return failed(result)
      const { at: confirmedAt } = ready
      const next = ready.isWhole ? { deltas: 0, snapshotAt: now } : { deltas: (known?.deltas ?? 0) + 1 }
      await writes.putRecords('afir_pushes', [{ snapshotAt: now, ...known, url, confirmedAt, ...next }])
      if (ready.isWhole || failures > 0) log.info({ whole: ready.isWhole }, 'the access point has taken the status')
    }
    revision = ready.revision
    failures = 0
    waitingSince = undefined
  }

  const failed = (result: PostResult): void => {
    failures += 1
    const verdict = judge(result, Math.min(failures, schedule.length), schedule, clock.now(), random)
    const planned = 'delayMs' in verdict ? verdict.delayMs : MAX_WAIT_MS
    const asked = 'pauseMs' in verdict ? (verdict.pauseMs ?? 0) : 0
    const waitMs = Math.max(Math.min(planned, MAX_WAIT_MS), asked)
    notBefore = clock.monotonic() + waitMs
    log.warn(
      { why: reasonOf(result, settings.afirPushToken), againInSeconds: Math.round(waitMs / 1000) },
      'the access point did not take the status, and is sent it again',
    )
  }

  const loop = periodically({
    clock,
    work,
    everyMs: EVERY_MS,
    failed({ message: error }) {
      notBefore = clock.monotonic() + AFTER_FAULT_MS
      log.error({ error }, 'the status could not be sent to the access point')
    },
  })
  return {
    waitingSince: () => waitingSince,
    async stop() {
      stopping.abort()
      await loop.stop()
      await sender.close()
    },
  }
}

function requestOf({ settings, userAgent }: PushContext, { parts, length }: Ready) {
  const { afirPushUrl: url, afirPushToken: token, afirPushCertFile: cert, afirPushKeyFile: key } = settings
  return {
    subscriptionId: 'afir',
    url,
    body: () => plain(parts),
    headers: {
      'content-type': 'application/json',
      'content-length': String(length),
      'user-agent': userAgent,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    // Read each time, so that a renewed one is used without a restart.
    ...(cert !== undefined &&
      key !== undefined && { certificate: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } }),
  }
}

/** In words, with what the access point says itself; some repeat the token that they refuse. */
function reasonOf({ status, error, answer = '' }: PostResult, token: string | undefined): string {
  const said = token === undefined ? answer : answer.replaceAll(token, '…')
  if (status === undefined) return `no answer: ${(error ?? '').replaceAll('_', ' ')}`
  return `it answered HTTP ${status}. ${said.slice(0, SHOWN_CHARACTERS)}`.trimEnd()
}
