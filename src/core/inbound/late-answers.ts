/** Calls whose answer waits for a service or a partner, which is asked once they are stored (OCPP21-C8, OCPI-A10). */

import type { PartnerVerdict } from '../../domain/partners/records.ts'
import type { AskPartner, CheckVatNumber, Clock, Log } from '../../domain/ports/core.ts'
import type { DecisionContext, Input } from '../../domain/sessions/decision.ts'
import { partnerQuestion } from '../../domain/sessions/orders/partner-token.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import type { FromChargePoint, OcppVersion } from '../../ocpp/version.ts'
import type { PartnerTokens } from '../memory/partner-tokens.ts'
import type { Station } from '../memory/station.ts'

/** Resolves with what the call is decided on. @param signal ends it early */
export type Later = (signal: AbortSignal) => Promise<Input>

/** As it was read. */
interface WaitingCall {
  readonly handler: FromChargePoint
  readonly payload: Payload
  readonly input: Input
}

export interface LateAnswers {
  /** Whether a call may have to wait: a station has one open call. */
  mayWait(version: OcppVersion, action: string, accountId: string | undefined): boolean
  /** What has to be asked before the call is decided; undefined: nothing. */
  before(station: Station, call: WaitingCall): Later | undefined
  /** @param answer decides, with what was said */
  ask(later: Later, answer: (input: Input) => void): void
  /** For a stop: what is open is answered at once. @returns whether something was */
  stop(): Promise<boolean>
}

interface LateContext {
  readonly checkVatNumber?: CheckVatNumber | undefined
  readonly askPartner?: AskPartner | undefined
  readonly partnerTokens: PartnerTokens
  readonly decidedOn: (station: Station) => DecisionContext
  readonly clock: Pick<Clock, 'after'>
  readonly log: Log
}

/** Messages that name a token which a partner may have to be asked about. */
const NAME_TOKENS: ReadonlySet<string> = new Set(['Authorize', 'StartTransaction', 'TransactionEvent'])
/** The station is answered within 5 s, whatever became of the question. */
const PARTNER_LIMIT_MS = 4_500

export function createLateAnswers(context: LateContext): LateAnswers {
  const { checkVatNumber, askPartner, partnerTokens, clock, log } = context
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  return {
    mayWait: (version, action, accountId) =>
      (checkVatNumber !== undefined && version.fromChargePoint[action]?.question !== undefined) ||
      (askPartner !== undefined && NAME_TOKENS.has(action) && partnerTokens.mayHave(accountId)),
    before(station, { handler, payload, input }) {
      const chargePointId = station.id
      const ofNumber = checkVatNumber && handler.question?.(payload)
      if (checkVatNumber && ofNumber) {
        return async (signal) => {
          const checked = await checkVatNumber({ ...ofNumber, chargePointId }, signal)
          const { verdict, reason } = checked
          if (verdict === 'unknown')
            log.warn({ chargePoint: chargePointId, reason }, 'a VAT number could not be checked')
          return { kind: 'vatNumberChecked', ...checked }
        }
      }
      if (!askPartner || !station.state || !NAME_TOKENS.has(handler.action)) return undefined
      if (!partnerTokens.mayHave(station.state.accountId)) return undefined
      const question = partnerQuestion(station.state, context.decidedOn(station), input)
      if (!question) return undefined
      return async (signal) => {
        const said = askPartner({ ...question, chargePointId }).catch((error: Error) => {
          log.error({ chargePoint: chargePointId, error: error.message }, 'a partner could not be asked')
          return UNKNOWN
        })
        return { ...input, verdict: await inTime(said, clock, signal) } as Input
      }
    },
    ask(later, answer) {
      const asked = later(stopping.signal).then((input) => {
        open.delete(asked)
        answer(input)
      })
      open.add(asked)
    },
    async stop() {
      const wasOpen = open.size > 0
      stopping.abort()
      await Promise.all(open)
      return wasOpen
    },
  }
}

const UNKNOWN: PartnerVerdict = { allowed: 'unknown' }

function inTime(
  said: Promise<PartnerVerdict>,
  { after }: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<PartnerVerdict> {
  return new Promise((resolve) => {
    const end = (verdict: PartnerVerdict): void => {
      cancel()
      signal.removeEventListener('abort', giveUp)
      resolve(verdict)
    }
    const giveUp = (): void => end(UNKNOWN)
    const cancel = after(PARTNER_LIMIT_MS, giveUp)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
    else void said.then(end)
  })
}
