/** Requests are schema-checked before they come here. */

import { grouped } from '../../src/domain/grouped.ts'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import {
  clearProfiles,
  commandsOfBoth,
  compositeSchedule,
  listVersion,
  matchOf,
  number,
  requestCertificate,
  reserve,
  setProfile,
  updateIn,
  updateList,
} from '../commands/of-both.ts'
import {
  type Command,
  type CommandTarget,
  changeAvailability,
  outletOfTransaction,
  refused,
  selectedOutlets,
  showCost,
  startRemotely,
  stopRemotely,
  trigger,
} from '../commands/target.ts'
import { createFirmwareUpdates } from '../commands/transfers/firmware.ts'
import { createLogs } from '../commands/transfers/logs.ts'
import { verdictOf } from '../model/dialect.ts'
import { DISPLAY_FORMATS, forgetOver, isOfCharge, isPast, MAX_MESSAGES } from '../model/display.ts'
import type { Token } from '../model/facts.ts'
import { matches, type ProfileMatch } from '../model/smart-charging/installed.ts'
import type { ChargingProfile } from '../model/smart-charging/profile.ts'
import { deviceModelCommands, modelOf } from './device-model-commands.ts'
import { sendPages } from './pages.ts'

export function commands201(
  target: CommandTarget,
  model = modelOf(target),
  monitorOrigin: Payload = {},
): ReadonlyMap<string, Command> {
  const firmware = createFirmwareUpdates(target)
  const logs = createLogs(target)
  const notify = (method: string, request: Payload) => target.notify({ method, request })
  const idle = (method: string) => () => notify(method, { status: 'Idle' })
  const triggers: Readonly<Record<string, () => Promise<void>>> = {
    SignChargingStationCertificate: () => requestCertificate(target),
    FirmwareStatusNotification: () => firmware.sayProgress(idle('FirmwareStatusNotification')),
    LogStatusNotification: () => logs.sayProgress(idle('LogStatusNotification')),
  }
  return new Map<string, Command>(
    Object.entries({
      ...commandsOfBoth(target, logs),
      ...deviceModelCommands(target, model, monitorOrigin),
      ...chargingProfileCommands(target),
      ...displayCommands(target),
      RequestStartTransaction: (request) => {
        const [idToken, connectorId] = [tokenOf(request.idToken), number(request.evseId)]
        const { remoteStartId, chargingProfile: profile } = request
        return startRemotely(target, { connectorId, idToken, remoteStartId: Number(remoteStartId), profile })
      },
      RequestStopTransaction: ({ transactionId }) => stopRemotely(target, transactionId),
      GetTransactionStatus: (request) => {
        const transactionId = request.transactionId as string | undefined
        const messagesInQueue = target.queuedMessages() > 0
        if (transactionId === undefined) return { messagesInQueue }
        return { messagesInQueue, ongoingIndicator: outletOfTransaction(target, transactionId) !== undefined }
      },
      UnlockConnector: (request) => {
        const outlet = selectedOutlets(target, Number(request.evseId))?.[0]
        if (!outlet || request.evseId === 0 || request.connectorId !== 1) return { status: 'UnknownConnector' }
        if (outlet.transaction) return { status: 'OngoingAuthorizedTransaction' }
        return { status: 'Unlocked' }
      },
      Reset: (request) => {
        if (request.evseId !== undefined) return { status: 'Rejected' }
        if (request.type === 'OnIdle' && target.outlets.some((outlet) => outlet.transaction)) {
          target.afterAnswer(() => resetWhenIdle(target))
          return { status: 'Scheduled' }
        }
        target.afterAnswer(() => target.reset('HardReset'))
        return { status: 'Accepted' }
      },
      ChangeAvailability: (request) => {
        const outlets = selectedOutlets(target, (request.evse as { id: number } | undefined)?.id)
        const operative = request.operationalStatus === 'Operative'
        return outlets ? changeAvailability(target, outlets, operative) : { status: 'Rejected' }
      },
      TriggerMessage: (request) => {
        const { id } = (request.evse ?? {}) as { readonly id?: number }
        return trigger(target, request.requestedMessage, id, triggers)
      },
      ReserveNow: (request) => {
        if (!CONNECTOR_TYPES.has(request.connectorType)) return refused(target, 'UnknownConnectorType')
        return reserve(target, {
          id: Number(request.id),
          connectorId: number(request.evseId),
          idToken: tokenOf(request.idToken).id,
          groupId: (request.groupIdToken as { idToken: string } | undefined)?.idToken,
          until: Date.parse(String(request.expiryDateTime)),
        })
      },
      GetLocalListVersion: () => ({ versionNumber: listVersion(target) }),
      SendLocalList: (request) => {
        const entries = (request.localAuthorizationList as LocalEntry201[] | undefined) ?? []
        const changes = entries.map(({ idToken, idTokenInfo }) => ({
          idToken: idToken.idToken,
          verdict: verdictOf(idTokenInfo),
        }))
        return updateList(target, request, Number(request.versionNumber), changes)
      },
      UpdateFirmware: (request) => {
        const requestId = Number(request.requestId)
        const say = (status: string) => notify('FirmwareStatusNotification', { status, requestId })
        return { status: firmware.update({ ...updateIn(request), say }) }
      },
      GetInstalledCertificateIds: (request) => {
        const found = target.certificates.installed(request.certificateType as string[] | undefined)
        if (found.length === 0) return { status: 'NotFound' }
        return {
          status: 'Accepted',
          certificateHashDataChain: found.map(({ type, hash }) => ({
            certificateType: type,
            certificateHashData: hash,
          })),
        }
      },
      CostUpdated: (request) => {
        showCost(target, String(request.transactionId), Number(request.totalCost))
        return {}
      },
      CustomerInformation: customerInformation(target),
    } satisfies Record<string, Command>),
  )
}

/** What this station has, and what may be any (H01). */
const CONNECTOR_TYPES = new Set<unknown>([undefined, 'cType2', 'Undetermined', 'Unknown'])

interface LocalEntry201 {
  readonly idToken: { readonly idToken: string }
  readonly idTokenInfo?: Payload
}

async function resetWhenIdle(target: CommandTarget): Promise<void> {
  if (target.outlets.some((outlet) => outlet.transaction)) {
    target.clock.after(200, () => target.afterAnswer(() => resetWhenIdle(target)))
    return
  }
  await target.reset('SoftReset')
}

/** Small, so that a report really comes in several parts. */
const PROFILES_PER_REPORT = 2

function chargingProfileCommands(target: CommandTarget) {
  return {
    SetChargingProfile: (request) => setProfile(target, Number(request.evseId), request.chargingProfile as Payload),
    ClearChargingProfile: (request) => {
      const criteria = (request.chargingProfileCriteria ?? {}) as Payload
      return clearProfiles(target, request.chargingProfileId, criteria.evseId, criteria)
    },
    GetChargingProfiles: (request) => {
      const criterion = (request.chargingProfile ?? {}) as Payload
      const desired: ProfileMatch = {
        connectorId: number(request.evseId),
        ids: criterion.chargingProfileId as number[] | undefined,
        madeBy: criterion.chargingLimitSource as string[] | undefined,
        ...matchOf(criterion),
      }
      const found = target.limits.profiles().filter((profile) => matches(profile, desired))
      if (found.length === 0) return { status: 'NoProfiles' }
      report(target, Number(request.requestId), found)
      return { status: 'Accepted' }
    },
    GetCompositeSchedule: (request) => {
      const evseId = Number(request.evseId)
      const found = compositeSchedule(target, evseId, request)
      if (!found) return refused(target, 'UnknownEvse')
      return { status: 'Accepted', schedule: { ...found.schedule, evseId, scheduleStart: found.startAt } }
    },
  } satisfies Record<string, Command>
}

/** K09: one message has profiles of one EVSE and one source; all but the last one say that more follow. */
function report(target: CommandTarget, requestId: number, found: readonly ChargingProfile[]): void {
  const groups = grouped(found, ({ connectorId, madeBy }) => `${connectorId} ${madeBy}`)
  const pages = [...groups.values()].flatMap((profiles) =>
    Array.from({ length: Math.ceil(profiles.length / PROFILES_PER_REPORT) }, (_page, number) =>
      profiles.slice(number * PROFILES_PER_REPORT, (number + 1) * PROFILES_PER_REPORT),
    ),
  )
  sendPages(target, pages, 1, ([page = []], _seqNo, tbc) => ({
    method: 'ReportChargingProfiles',
    request: {
      requestId,
      chargingLimitSource: page[0]?.madeBy ?? 'CSO',
      tbc,
      evseId: page[0]?.connectorId ?? 0,
      chargingProfile: page.map(({ source }) => source),
    },
  }))
}

/** Shorter than the 512 that a page may have, so that a report really comes in several. */
const CHARACTERS_PER_PAGE = 120
const NAMES = ['idToken', 'customerIdentifier', 'customerCertificate'] as const

function customerInformation(target: CommandTarget): Command {
  const clearedAt = new Map<string, number>()
  const chargesOf = ({ id }: Token): readonly string[] => {
    const key = id.toLowerCase()
    return target.finished
      .filter(({ transaction }) => transaction.idToken.id.toLowerCase() === key)
      .filter(({ stoppedAt }) => stoppedAt > (clearedAt.get(key) ?? 0))
      .map(
        ({ transaction, energyWh, stoppedAt }) =>
          `Charge ${transaction.transactionId ?? ''}: EVSE ${transaction.connectorId}, ${energyWh} Wh, ended ${isoTime(stoppedAt)}`,
      )
  }
  return (request) => {
    const { requestId, report, clear } = request
    if (NAMES.filter((name) => request[name] !== undefined).length !== 1) return { status: 'Invalid' }
    if (report !== true && clear !== true) return { status: 'Rejected' }
    // Other names are unknown here.
    const token = request.idToken === undefined ? undefined : tokenOf(request.idToken)
    if (report === true) {
      const lines = token ? [...target.cards.tell(token), ...chargesOf(token)] : []
      const text = lines.length > 0 ? lines.join('\n') : 'Nothing is known of this customer.'
      const pages = text.match(new RegExp(`[^]{1,${CHARACTERS_PER_PAGE}}`, 'g')) ?? []
      const generatedAt = isoTime(target.clock.now())
      sendPages(target, pages, 1, ([data = ''], seqNo, tbc) => ({
        method: 'NotifyCustomerInformation',
        request: { requestId: Number(requestId), data, seqNo, tbc, generatedAt },
      }))
    }
    if (clear === true && token) {
      target.cards.forgetCard(token)
      clearedAt.set(token.id.toLowerCase(), target.clock.now())
    }
    return { status: 'Accepted' }
  }
}

function tokenOf(idToken: unknown): Token {
  const { idToken: id, type } = idToken as { readonly idToken: string; readonly type: string }
  return { id, type }
}

/** Small, so that a long list really comes in several parts. */
const MESSAGES_PER_PAGE = 2

function displayCommands(target: CommandTarget) {
  const { displayed: messages, outlets, clock } = target
  return {
    SetDisplayMessage: (request) => {
      const message = request.message as Payload
      const { id, priority } = message
      const now = clock.now()
      forgetOver(messages, outlets, now)
      if (!DISPLAY_FORMATS.includes(String((message.message as Payload).format)))
        return { status: 'NotSupportedMessageFormat' }
      if (!isOfCharge(message, outlets)) return { status: 'UnknownTransaction' }
      if (isPast(message, now)) return refused(target, 'InvalidValue')
      if (!messages.has(Number(id)) && messages.size >= MAX_MESSAGES) return refused(target, 'OutOfStorage')
      // O01: only one can be always in front.
      if (priority === 'AlwaysFront') {
        for (const [other, { priority: its }] of messages) if (its === priority) messages.delete(other)
      }
      messages.set(Number(id), message)
      return { status: 'Accepted' }
    },
    GetDisplayMessages: ({ requestId, id: ids, priority, state }) => {
      forgetOver(messages, outlets, clock.now())
      const found = [...messages.values()].filter(
        (message) =>
          (ids === undefined || (ids as number[]).includes(Number(message.id))) &&
          (priority === undefined || message.priority === priority) &&
          (state === undefined || message.state === state),
      )
      if (found.length === 0) return { status: 'Unknown' }
      sendPages(target, found, MESSAGES_PER_PAGE, (messageInfo, _seqNo, tbc) => ({
        method: 'NotifyDisplayMessages',
        request: { requestId: Number(requestId), tbc, messageInfo },
      }))
      return { status: 'Accepted' }
    },
    ClearDisplayMessage: (request) => ({ status: messages.delete(Number(request.id)) ? 'Accepted' : 'Unknown' }),
  } satisfies Record<string, Command>
}
