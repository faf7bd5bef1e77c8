/**
 * Everything that happened to a charge point, a page at a time, narrowed to a kind where one is asked for
 * (CONSOLE-N12).
 */

import { chargePointTimeline, isTimelinePosition } from '../../application/timeline/orders.ts'
import type { TimelineEntry } from '../../application/timeline/schemas.ts'
import { TIMELINE_KINDS } from '../../domain/timeline/records.ts'
import { ownChargePoint } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { showing } from '../visit.tsx'
import { TimelinePage } from './timeline-page.tsx'

const PAGE_LENGTH = 50
/** Of an address; what is longer is none of ours. */
const LONGEST_PLACE = 8000

export const addTimelinePage: MountConsolePages = (page, parts) => {
  page('/charge-points/:chargePoint/timeline', { GET: showTimeline(parts) })
}

function showTimeline({ searchLog, salt }: OperatorParts): ConsolePage {
  return showing('see', async (visit) => {
    const view = await ownChargePoint(visit)
    if (!view) return undefined
    const { site, context, frame, accountId } = visit
    const kind = TIMELINE_KINDS.find((one) => one === context.req.query('kind'))
    const window = {
      ...{ accountId, chargePointId: view.id, from: undefined, to: undefined },
      kinds: kind && new Set([kind]),
    }
    const before = placeOf(context.req.query('before'))
    const place = { reads: site.reads, searchLog, salt }
    const { entries, positions } = await chargePointTimeline(place, window, before, PAGE_LENGTH)
    return (
      <TimelinePage
        frame={frame}
        chargePointId={view.id}
        kind={kind}
        entries={entries.map(({ entry }) => entry as TimelineEntry)}
        next={positions && textOf(positions)}
      />
    )
  })
}

/** What is no place of ours begins with the newest. */
function placeOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text.length > LONGEST_PLACE) return undefined
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isTimelinePosition(place) ? place : undefined
  } catch {
    return undefined
  }
}

function textOf(positions: readonly string[]): string {
  return Buffer.from(JSON.stringify(positions)).toString('base64url')
}
