/** The servers of the installation, and what the one that answers says of itself and of its database (CONSOLE-O1). */
import { listNodes } from '../../application/nodes/nodes.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { NodeFacts, NodeState, StorageFigures } from '../../domain/ports/nodes.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { Ago, Since } from '../../web/times.tsx'
import type { MountConsolePages } from '../console-parts.ts'
import { chip, type Fact, Facts, Nothing, Panel, wordsIn } from '../kit/parts.tsx'
import { showing } from '../visit.tsx'

type Statistics = Awaited<ReturnType<Core['statistics']>>

export const addNodePages: MountConsolePages = (page) => {
  page('/nodes', {
    GET: showing('administrator', async ({ site, frame, accountId }) => {
      const { core, installation } = site
      const nodes = await listNodes({ ...site, ...installation }, accountId)
      const words = wordsIn('nodes', frame)
      if ('refused' in nodes) {
        return (
          <Page frame={frame} title={frame.texts.nodes}>
            <Title text={frame.texts.nodes} />
            <Nothing text={words.notFirst} />
          </Page>
        )
      }
      const [statistics, figures = {}] = await Promise.all([core.statistics(), installation?.storageFigures()])
      const live = nodes.filter(({ state }) => state === 'live').length
      return (
        <Page frame={frame} title={frame.texts.nodes} wide live>
          <Title
            text={frame.texts.nodes}
            said={words.partOf(shownFigure(frame, live), shownFigure(frame, nodes.length))}
          />
          <TableCard<NodeFacts>
            label={frame.texts.nodes}
            live="nodes"
            rows={nodes}
            columns={[
              {
                title: words.node,
                heads: true,
                cell: ({ name }) => (
                  <>
                    <bdi>{name}</bdi>{' '}
                    {name === installation?.node?.name && <span class="soft small">{words.thisOne}</span>}
                  </>
                ),
              },
              chip(words.state, ({ state }) => [TONES[state], words.states[state]]),
              { title: words.running, kind: 'time', cell: ({ since }) => <Since frame={frame} at={since} /> },
              { title: words.lastSeen, kind: 'time', cell: ({ lastSeenAt }) => <Ago frame={frame} at={lastSeenAt} /> },
              { title: words.connections, kind: 'number', cell: ({ connections }) => shownFigure(frame, connections) },
              { title: words.version, text: ({ version }) => version },
            ]}
          />
          <div class="halves">
            <Panel title={words.process} live="process">
              <Facts facts={processFacts(frame, statistics)} />
            </Panel>
            <Panel title={words.database} live="database">
              <Facts facts={databaseFacts(frame, figures)} />
            </Panel>
          </div>
        </Page>
      )
    }),
  })
}

/** `fenced` is how a node that was stopped ends: nothing is wrong. */
const TONES: Readonly<Record<NodeState, string>> = { live: '', draining: 'amber', silent: 'bad', fenced: 'over' }

function processFacts(frame: Frame, statistics: Statistics): readonly Fact[] {
  const words = wordsIn('nodes', frame)
  const { messages, queued, commits, failedCommits, malformedFrames, storeRefuses, node } = statistics
  const figure = (value: number): string => shownFigure(frame, value)
  return [
    [words.notReady, node?.notReady, 'warn'],
    [words.refuses, storeRefuses, 'warn'],
    [words.messages, figure(messages)],
    [words.queued, figure(queued)],
    [words.commits, figure(commits)],
    [words.failedCommits, figure(failedCommits)],
    [words.malformed, figure(malformedFrames)],
  ]
}

function databaseFacts(frame: Frame, figures: StorageFigures): readonly Fact[] {
  const words = wordsIn('nodes', frame)
  const { databaseBytes, logBytes, diskBytes, diskFreeBytes, lastBackupAt, standbys, standbyLagBytes } = figures
  const size = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : shownBytes(frame, value)
  const free = size(diskFreeBytes)
  return [
    [words.databaseSize, size(databaseBytes)],
    [words.logSize, size(logBytes)],
    [words.diskFree, free && (diskBytes === undefined ? free : words.partOf(free, shownBytes(frame, diskBytes)))],
    [words.lastBackup, lastBackupAt === undefined ? frame.texts.never : <Ago frame={frame} at={lastBackupAt} />],
    [words.standbys, standbys && shownFigure(frame, standbys)],
    [words.behind, size(standbyLagBytes)],
  ]
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

function shownBytes(frame: Frame, bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${shownFigure(frame, bytes / 1000 ** step, step === 0 ? 0 : 1)} ${UNITS[step]}`
}
