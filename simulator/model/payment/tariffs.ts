/** The tariffs of a 2.1 station: its own by EVSE, and those that came with a card (I07 to I11). */
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { Behaviour } from '../../station.ts'
import type { Outlet } from '../connector.ts'
import type { Tariff, Token } from '../facts.ts'

export const CURRENCY = 'EUR'
/** Prices of one dimension. */
export const MAX_ELEMENTS = 4

interface Assignment {
  readonly tariff: Tariff
  /** 0: every one. */
  readonly evseId: number
}

type TariffStatus = 'Accepted' | 'Rejected' | 'TooManyElements' | 'ConditionNotSupported' | 'DuplicateTariffId'

export type Tariffs = ReturnType<typeof createTariffs>

export function createTariffs(outlets: readonly Outlet[], now: () => number, behaviour: Behaviour) {
  let defaults: readonly Assignment[] = []
  const ofCards = new Map<string, Tariff>()
  const startOf = ({ validFrom }: Tariff) => (validFrom === undefined ? 0 : Date.parse(validFrom))
  const isAt = (evseId: number) => (assignment: Assignment) => evseId === 0 || [0, evseId].includes(assignment.evseId)

  /** Why the station cannot reckon with it. */
  const fault = (tariff: Tariff): Exclude<TariffStatus, 'Accepted' | 'DuplicateTariffId'> | undefined => {
    const { fixedFee, energy, chargingTime, idleTime } = tariff
    const dimensions = [fixedFee, energy, chargingTime, idleTime].filter((dimension) => dimension !== undefined)
    if (behaviour.refusesTariffs) return 'Rejected'
    if (dimensions.some(({ prices }) => prices.length > MAX_ELEMENTS)) return 'TooManyElements'
    const isConditional = dimensions.some(({ prices }) => prices.some(({ conditions }) => conditions !== undefined))
    if (isConditional) return 'ConditionNotSupported'
    return tariff.currency === CURRENCY ? undefined : 'Rejected'
  }
  return {
    fault,
    setDefault(evseId: number, tariff: Tariff): TariffStatus {
      const reason = fault(tariff)
      if (reason !== undefined || evseId > outlets.length) return reason ?? 'Rejected'
      const twin = defaults.find((other) => other.tariff.tariffId === tariff.tariffId)
      if (twin && JSON.stringify(twin.tariff) !== JSON.stringify(tariff)) return 'DuplicateTariffId'
      // One for later leaves the present one in use until then.
      const isReplaced = (other: Assignment) =>
        startOf(other.tariff) >= startOf(tariff) || startOf(tariff) <= now() || other === twin
      const kept = defaults.filter((other) => !((evseId === 0 || other.evseId === evseId) && isReplaced(other)))
      defaults = [...kept, { tariff, evseId }]
      return 'Accepted'
    },
    /** Entries of `clearTariffsResult`; no ids: all of the EVSE. */
    clear(evseId = 0, ids?: readonly string[]): readonly Payload[] {
      const found = defaults.filter(isAt(evseId)).filter(({ tariff }) => ids?.includes(tariff.tariffId) ?? true)
      defaults = defaults.filter((assignment) => !found.includes(assignment))
      const cleared = new Set(found.map(({ tariff }) => tariff.tariffId))
      const asked = ids ?? [...cleared]
      if (asked.length === 0) return [{ status: 'NoTariff' }]
      return asked.map((tariffId) => ({ tariffId, status: cleared.has(tariffId) ? 'Accepted' : 'NoTariff' }))
    },
    /** Entries of `tariffAssignments`. */
    assignments(evseId: number): readonly Payload[] {
      return defaults.filter(isAt(evseId)).map(({ tariff: { tariffId, validFrom }, evseId: id }) => ({
        tariffId,
        tariffKind: 'DefaultTariff',
        evseIds: id === 0 ? outlets.map(({ connectorId }) => connectorId) : [id],
        ...(validFrom !== undefined && { validFrom }),
      }))
    },
    /** The card's own tariff for its next charges. */
    remember({ id }: Token, tariff: Tariff | undefined): void {
      if (tariff && fault(tariff) === undefined) ofCards.set(id.toLowerCase(), tariff)
      else ofCards.delete(id.toLowerCase())
    },
    /** For a charge that begins now. */
    of(connectorId: number, { id }: Token): Tariff | undefined {
      const due = defaults.filter(isAt(connectorId)).filter(({ tariff }) => startOf(tariff) <= now())
      const latest = due.sort((a, b) => startOf(b.tariff) - startOf(a.tariff) || b.evseId - a.evseId)[0]
      return ofCards.get(id.toLowerCase()) ?? latest?.tariff
    },
  }
}
