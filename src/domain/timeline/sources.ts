/** Where a station's timeline comes from (TIMELINE-A7): entries newest first, in pages below a source's position. */
import type { HistoryEntry, TimelineKind } from './records.ts'

export interface Found {
  readonly at: number
  /** What lies below it is the rest of its source. */
  readonly position: string
  /** Not below it: a position that is just above. */
  readonly above: string
  readonly entry: Readonly<Record<string, unknown>>
}

export interface Window {
  readonly accountId: string
  readonly chargePointId: string
  /** Inclusive and exclusive, in milliseconds since the epoch. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly kinds?: ReadonlySet<TimelineKind> | undefined
}

/** @param below undefined: from the newest on */
export type Source = (window: Window, below: string | undefined, limit: number) => Promise<readonly Found[]>

export interface TimelinePage {
  readonly entries: readonly Found[]
  /** Of each source in its order, where the next page begins; absent when nothing is left. */
  readonly positions?: readonly string[] | undefined
}

/** Below it is nothing: this source is at its end. */
const END = ''

/** One page of all sources; later pages show nothing newer. @param positions of the page before; undefined: first */
export async function mergedPage(
  sources: readonly Source[],
  window: Window,
  positions: readonly string[] | undefined,
  limit: number,
): Promise<TimelinePage> {
  const pages = await Promise.all(
    sources.map(async (source, index) => {
      const below = positions?.[index]
      return below === END ? [] : source(window, below, limit + 1)
    }),
  )
  const taken = pages.map(() => 0)
  const entries: Found[] = []
  while (entries.length < limit) {
    const next = newest(pages, taken)
    const found = pages[next]?.[taken[next] ?? 0]
    if (!found) break
    taken[next] = (taken[next] ?? 0) + 1
    entries.push(found)
  }
  const rest = pages.map((page, index) => {
    const head = page[taken[index] ?? 0]
    return head ? (page[(taken[index] ?? 0) - 1]?.position ?? head.above) : END
  })
  return rest.every((position) => position === END) ? { entries } : { entries, positions: rest }
}

/** The source whose next entry is the newest; of equal ones the first. -1: all are at their end. */
function newest(pages: readonly (readonly Found[])[], taken: readonly number[]): number {
  const heads = pages.map((page, index) => page[taken[index] ?? 0]?.at ?? Number.NEGATIVE_INFINITY)
  const newestAt = Math.max(...heads)
  return newestAt === Number.NEGATIVE_INFINITY ? -1 : heads.indexOf(newestAt)
}

export function historyPosition({ id, part }: Pick<HistoryEntry, 'id' | 'part'>): string {
  return `${id}.${part}`
}

export function readHistoryPosition(position: string): Pick<HistoryEntry, 'id' | 'part'> {
  const [id, part] = position.split('.').map(Number)
  return { id: id ?? 0, part: part ?? 0 }
}

interface Named {
  readonly at: number
  /** Tells apart what has the same time. */
  readonly name: string
}

/** Of a source that is all in memory: what lies below this position, newest first. */
export function newestBelow<Of>(
  all: readonly Of[],
  named: (one: Of) => Named,
  below: string | undefined,
  limit: number,
): readonly (Pick<Found, 'at' | 'position' | 'above'> & { readonly of: Of })[] {
  const border = below === undefined ? undefined : readNamed(below)
  return all
    .map((of) => ({ of, ...named(of) }))
    .filter((one) => border === undefined || order(one, border) < 0)
    .sort((one, other) => order(other, one))
    .slice(0, limit)
    .map(({ of, at, name }) => ({ of, at, position: `${at} ${name}`, above: `${at} ${name}${LEAST}` }))
}

/** What ends with it comes right behind what does not. */
const LEAST = '\0'

function order(one: Named, other: Named): number {
  return one.at - other.at || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
}

function readNamed(position: string): Named {
  const space = position.indexOf(' ')
  return { at: Number(position.slice(0, space)), name: position.slice(space + 1) }
}
