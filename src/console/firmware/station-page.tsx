/** Firmware of one charge point: what it runs, what is wanted of it, and what came of each update (CONSOLE-N14). */
import type { FC } from 'hono/jsx'
import type { FirmwareUpdate } from '../../domain/firmware/records.ts'
import { Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { showingStation } from '../charge-points/own-charge-point.ts'
import { type ShownChargePoint, shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { ago, ButtonLink, chip, cutOff, link } from '../kit/columns.tsx'
import { Facts } from '../kit/facts.tsx'
import { Panel } from '../kit/panel.tsx'
import { firmwareTexts } from '../kit/texts.ts'
import { queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'

const MAX_SHOWN = 50
const TONES: Readonly<Record<FirmwareUpdate['state'], string>> = {
  waiting: '',
  running: '',
  succeeded: 'over',
  failed: 'bad held',
  rejected: 'bad held',
}

export function showStationFirmware(parts: OperatorContext): ConsolePage {
  return showingStation('see', async (visit, view) => {
    const where = { chargePointId: view.id }
    const [chargePoint, updates] = await Promise.all([
      shownNow(parts, visit, view),
      visit.site.reads.listRecords('firmware_updates', { where, newestFirst: true, limit: MAX_SHOWN }),
    ])
    const newest = updates.toSorted((a, b) => b.createdAt - a.createdAt)
    return <StationFirmwarePage visit={visit} chargePoint={chargePoint} updates={newest} />
  })
}

const StationFirmwarePage: FC<{
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly updates: readonly FirmwareUpdate[]
}> = ({ visit, chargePoint, updates }) => {
  const { frame } = visit
  const words = firmwareTexts(frame)
  const { id, status } = chargePoint.view
  const requested = updates.find(({ state }) => state === 'waiting' || state === 'running')
  return (
    <Page frame={frame} title={`${words.firmware} ${id}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="firmware" />
      <div data-live="firmware">
        <Panel
          title={words.firmware}
          end={
            mayAct(visit) && (
              <ButtonLink
                main
                to={`${frame.root}/new-bulk-order${queryText({ kind: 'firmware', id })}`}
                text={words.update}
              />
            )
          }
        >
          <Facts
            facts={[
              [words.current, <bdi>{status.firmwareVersion ?? words.notReported}</bdi>],
              [
                words.requested,
                requested === undefined ? words.nothingRequested : <bdi>{requested.target.version}</bdi>,
              ],
              [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
            ]}
          />
        </Panel>
        <TableCard<FirmwareUpdate>
          heading={words.updates}
          rows={updates}
          oneLine
          empty={words.noUpdates}
          columns={[
            link(
              words.version,
              ({ target, campaignId }) => ({
                to: `${frame.root}/firmware-campaigns/${encodeURIComponent(campaignId)}`,
                text: target.version,
              }),
              { width: 160, whole: ({ target }) => target.version },
            ),
            chip(words.state, ({ state }) => [TONES[state], words.rowStates[state]], { width: 160 }),
            {
              title: words.status,
              wideOnly: true,
              text: ({ statuses, status: last }) => statuses.map((seen) => seen.status).join(' → ') || last,
              whole: ({ statuses }) => statuses.map((seen) => seen.status).join(' → '),
            },
            cutOff(words.reason, ({ reason }) => reason, { wideOnly: true }),
            ago(frame, words.changed, ({ updatedAt }) => updatedAt, { kind: 'number', width: 136, wideOnly: false }),
          ]}
        />
      </div>
    </Page>
  )
}
