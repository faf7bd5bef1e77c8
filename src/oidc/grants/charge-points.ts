/** The charge points a user may share, and the selection that a form or the API sends (OIDC-C3). */

import type { Reads } from '../../domain/ports/storage.ts'
import type { Selection } from '../../domain/ports/storage-oidc-records.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import type { Provider } from '../provider.ts'
import type { Choice, ChooserProps } from '../views/chooser.tsx'

const PORTION = 50

/** The chooser as stored, or as the form was left for a search; charge points that are gone are no choices. */
export async function chooserOf(
  provider: Provider,
  accountId: string,
  shared: Selection,
  form?: URLSearchParams,
): Promise<Omit<ChooserProps, 'texts'>> {
  const choices = await choicesOf(provider, accountId)
  const selection = form ? selectionOf(form) : shared
  const ticked = new Set(form ? form.getAll('chargePoint') : selection === 'all' ? [] : selection)
  return {
    choices,
    all: selection === 'all',
    chosen: new Set(choices.map(({ id }) => id).filter((id) => ticked.has(id))),
    query: form?.get('query') ?? '',
  }
}

async function choicesOf({ reads, connectivity }: Provider, accountId: string): Promise<readonly Choice[]> {
  const chargePoints = (await selectChargePoints(reads, accountId, {})).filter(isShareable)
  const live = new Map(
    (await connectivity(chargePoints.map(({ id }) => id))).map((one) => [one.chargePointId, one.online]),
  )
  return chargePoints.map(({ id, name, connectors }) => ({
    id,
    name,
    online: live.get(id) === true,
    connectors: connectors
      .filter(({ connectorId }) => connectorId !== 0)
      .map(({ evseId, connectorId, status }) => ({
        id: evseId === undefined ? String(connectorId) : `${evseId}/${connectorId}`,
        status,
      })),
  }))
}

/** A charge point that connected unregistered cannot be shared until it is approved (OCPP-RP14). */
function isShareable({ registrationStatus }: Pick<ChargePointView, 'registrationStatus'>): boolean {
  return registrationStatus === 'Accepted'
}

/** Undefined when it names a charge point that is not the account's to share. */
export async function checkedSelection(
  reads: Pick<Reads, 'findChargePoint'>,
  accountId: string,
  requested: Selection,
): Promise<Selection | undefined> {
  if (requested === 'all') return 'all'
  const ids = [...new Set(requested)]
  // In portions: a form of thousands of made-up names ends with the first of them.
  for (let at = 0; at < ids.length; at += PORTION) {
    const found = await Promise.all(ids.slice(at, at + PORTION).map((id) => reads.findChargePoint(id)))
    if (!found.every((one) => one?.accountId === accountId && isShareable(one))) return undefined
  }
  return ids
}

export function selectionOf(form: URLSearchParams): Selection {
  return form.get('share') === 'all' ? 'all' : form.getAll('chargePoint')
}
