/** Limit groups: listed, with the way to each, and whether its stations have taken its limit (CONSOLE-G1). */

import { historyCsv, historyOf } from '../../application/limit-groups/history.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { type EvseStatus, statusOf } from '../../application/limit-groups/status.ts'
import type { Proof } from '../../domain/charging/records.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import { Page } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { listFile } from '../kit/listing.ts'
import { ago, ButtonLink, chip, figure, link, Nothing, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { PROOF_TONES } from '../station-limits/schedules.tsx'
import { mayAct, showing } from '../visit.tsx'
import { addGroupForms } from './group-forms.tsx'
import { amps, OfGroup, showGroup } from './group-page.tsx'
import { addInputPages } from './inputs.tsx'
import { groupPath, NEW_GROUP, ownGroup, showingGroup, WIZARD } from './place.ts'
import { addWizard } from './wizard.tsx'

export const addLimitPages: MountConsolePages = (page) => {
  page('/limits', { GET: showGroups })
  page('/limits/:name', { GET: showGroup })
  page('/limits/:name/test', { GET: showTaken })
  page('/limits/:name/history.csv', { GET: downloadHistory })
  addGroupForms(page)
  addInputPages(page)
  addWizard(page)
}

const showGroups: ConsolePage = showing('see', async (visit) => {
  const { frame, site } = visit
  const groups = await groupsOfAccount(site, visit.accountId)
  const words = wordsIn('limitGroups', frame)
  const { strategies } = wordsIn('limitGroupForm', frame)
  return (
    <Page frame={frame} title={frame.texts.limits} wide>
      <Title text={frame.texts.limits}>
        {mayAct(visit) && (
          <>
            <ButtonLink to={frame.root + NEW_GROUP} text={words.make} />
            <ButtonLink main to={frame.root + WIZARD} text={words.share} />
          </>
        )}
      </Title>
      {groups.length === 0 ? (
        <section class="card">
          <Nothing text={words.none}>
            <p>{words.noneLead}</p>
          </Nothing>
        </section>
      ) : (
        <TableCard<LimitGroup>
          label={frame.texts.limits}
          oneLine
          rows={inTree(groups)}
          columns={[
            link(words.group, ({ name }) => ({ class: 'name-link', to: groupPath(frame, name), text: name }), {
              whole: ({ name }) => name,
            }),
            { title: words.parent, wideOnly: true, text: ({ desired }) => desired.parent ?? '' },
            {
              title: words.limit,
              kind: 'number',
              width: 136,
              cell: (group) =>
                `${groupOf(group, site.voltage).phases} × ${amps(frame, groupOf(group, site.voltage).limitAmps)}`,
            },
            { title: words.shares, wideOnly: true, cell: (group) => strategies[groupOf(group, site.voltage).strategy] },
          ]}
        />
      )}
    </Page>
  )
})

function inTree(groups: readonly LimitGroup[]): readonly LimitGroup[] {
  const names = new Set(groups.map(({ name }) => name))
  const below = new Map<string, LimitGroup[]>()
  for (const group of groups) {
    const { parent = '' } = group.desired
    const under = names.has(parent) ? parent : ''
    below.set(under, [...(below.get(under) ?? []), group])
  }
  const found: LimitGroup[] = []
  const walk = (name: string): void => {
    for (const group of below.get(name) ?? []) {
      found.push(group)
      walk(group.name)
    }
  }
  walk('')
  return found
}

/** As the API's; the last day unless the address says otherwise. */
const downloadHistory: ConsolePage = listFile('see', {}, async (visit) => {
  const group = await ownGroup(visit)
  if (!group) return undefined
  const [from, to] = ['from', 'to'].map((name) => parseInstant(visit.context.req.query(name) ?? '')?.ceilMs)
  const rows = await historyOf(visit.site, group, from, to)
  if ('refused' in rows) return undefined
  const csv = historyCsv(rows)
  async function* chunks() {
    yield csv
  }
  return { name: `${group.name}.csv`, chunks: chunks() }
})

/** Whether the stations of a group have taken its limit, with proof: what making one ends with (CONSOLE-G5). */
interface Taken extends EvseStatus {
  readonly proof?: Proof | undefined
}

const showTaken: ConsolePage = showingGroup('see', async (visit, { name }) => {
  const { frame, site, accountId } = visit
  const status = await statusOf(site, accountId, name)
  if (!status) return undefined
  const ids = [...new Set(status.evses.map(({ chargePointId }) => chargePointId))]
  const stations = await Promise.all(
    ids.map((chargePointId) => site.reads.getRecord('charging_stations', { chargePointId })),
  )
  const proofs = new Map(stations.flatMap((one) => (one ? [[one.chargePointId, one.proofs] as const] : [])))
  const rows = status.evses.map(
    (evse): Taken => ({ ...evse, proof: proofs.get(evse.chargePointId)?.[String(evse.evseId)] }),
  )
  const words = wordsIn('limitGroupProof', frame)
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
          figure(words.holds, ({ fallbackAmps }) => fallbackAmps !== undefined && amps(frame, fallbackAmps)),
          chip(words.proof, ({ proof }) => [
            PROOF_TONES[proof?.verdict ?? 'pending'],
            wordsIn('stationLimits', frame).proofs[proof?.verdict ?? 'pending'],
          ]),
          ago(frame, words.at, ({ proof }) => proof?.at, { wideOnly: false }),
        ]}
      />
    </Page>
  )
})

function hasTaken({ fallbackAmps, holdsNoFallback }: Taken): boolean {
  return fallbackAmps !== undefined && !holdsNoFallback
}
