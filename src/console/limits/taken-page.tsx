/** Whether the stations of a group have taken its limit, with proof: what making one ends with (CONSOLE-G5). */
import type { FC } from 'hono/jsx'
import { type EvseStatus, statusOf } from '../../application/limit-groups/status.ts'
import type { Proof } from '../../domain/charging/records.ts'
import { Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { ago, ButtonLink, chip, link } from '../kit/columns.tsx'
import { stationLimitTexts, takenTexts } from '../kit/texts.ts'
import { chargePointPath } from '../paths.ts'
import { PROOF_TONES } from '../station-limits/schedules.tsx'
import { showing, type Visit } from '../visit.tsx'
import { amps } from './group-page.tsx'
import { OfGroup } from './of-group.tsx'
import { groupPath, ownGroup, placeOf } from './place.ts'

interface Taken extends EvseStatus {
  readonly proof?: Proof | undefined
}

export function showTaken(parts: OperatorContext): ConsolePage {
  return showing('see', async (visit) => {
    const found = await ownGroup(visit)
    const status = found && (await statusOf(placeOf(parts, visit), visit.accountId, found.group.name))
    if (!status) return undefined
    const ids = [...new Set(status.evses.map(({ chargePointId }) => chargePointId))]
    const stations = await Promise.all(
      ids.map((chargePointId) => visit.site.reads.getRecord('charging_stations', { chargePointId })),
    )
    const proofs = new Map(stations.flatMap((one) => (one ? [[one.chargePointId, one.proofs] as const] : [])))
    const rows = status.evses.map(
      (evse): Taken => ({ ...evse, proof: proofs.get(evse.chargePointId)?.[String(evse.evseId)] }),
    )
    return <TakenPage visit={visit} name={status.name} rows={rows} />
  })
}

const TakenPage: FC<{ visit: Visit; name: string; rows: readonly Taken[] }> = ({ visit: { frame }, name, rows }) => {
  const words = takenTexts(frame)
  const [taken, proved] = [rows.filter(hasTaken).length, rows.filter(({ proof }) => proof?.verdict === 'proved').length]
  const said = (evse: Taken): string => {
    if (evse.holdsNoFallback) return words.refuses
    if (hasTaken(evse)) return words.taken1
    return evse.state === 'silent' ? words.away : words.waits
  }
  return (
    <Page frame={frame} title={words.title} wide live>
      <OfGroup frame={frame} name={name} title={words.title}>
        <ButtonLink main to={groupPath(frame, name)} text={words.toGroup} />
      </OfGroup>
      <p class="soft">{words.lead}</p>
      <TableCard<Taken>
        label={words.title}
        heading={`${words.taken(taken, rows.length)} ${words.proved(proved)}`}
        live="taken"
        rows={rows}
        empty={words.none}
        columns={[
          link(words.evse, ({ chargePointId: id, evseId }) => ({
            to: chargePointPath(frame, id),
            text: `${id} / ${evseId}`,
          })),
          chip(words.state, (evse) => [hasTaken(evse) ? '' : evse.holdsNoFallback ? 'bad' : 'amber held', said(evse)]),
          {
            title: words.holds,
            kind: 'number',
            cell: ({ fallbackAmps }) => fallbackAmps !== undefined && amps(frame, fallbackAmps),
          },
          chip(words.proof, ({ proof }) => [
            PROOF_TONES[proof?.verdict ?? 'pending'],
            stationLimitTexts(frame).proofs[proof?.verdict ?? 'pending'],
          ]),
          ago(frame, words.at, ({ proof }) => proof?.at, { wideOnly: false }),
        ]}
      />
    </Page>
  )
}

function hasTaken({ fallbackAmps, holdsNoFallback }: Taken): boolean {
  return fallbackAmps !== undefined && !holdsNoFallback
}
