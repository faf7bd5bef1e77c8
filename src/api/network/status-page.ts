/** Progress of a fleet's named setting: counts of all, and a page of charge points (CONFIG-A11). */
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import type { IntentState } from '../../domain/intents/records.ts'
import { withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { pageOf } from '../list-page.ts'

type Asked = Parameters<typeof pageOf>[1] & { readonly query: { readonly state?: IntentState | undefined } }

export async function statusPage(
  api: Pick<Api, 'cursors' | 'now' | 'reads'>,
  request: Asked,
  name: string,
  found: readonly StationStatus[],
) {
  const { state } = request.query
  const withheld = await withheldFrom(api.reads, request.principal)
  const all = found.filter(({ evseControllerId: id }) => !withheld.has(id))
  const fitting = all
    .filter((status) => state === undefined || status.state === state)
    .sort((one, other) => (one.evseControllerId < other.evseControllerId ? -1 : 1))
  const page = await pageOf(api, request, {
    name,
    place: ({ evseControllerId: id }: StationStatus) => [id],
    rows: async (limit, last) => fitting.filter(({ evseControllerId: id }) => !last || id > last[0]).slice(0, limit),
    show: (rows) => rows,
  })
  return { counts: countsOf(all), ...page }
}
