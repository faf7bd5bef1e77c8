import type { FC } from 'hono/jsx'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { ButtonLink, link } from '../kit/columns.tsx'
import { Nothing } from '../kit/frame.tsx'
import { groupFormTexts, limitTexts } from '../kit/texts.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { amps } from './group-page.tsx'
import { groupPath, NEW_GROUP, WIZARD } from './paths.ts'

export const GroupsPage: FC<{ visit: Visit; groups: readonly LimitGroup[]; voltage: number }> = ({
  visit,
  groups,
  voltage,
}) => {
  const { frame } = visit
  const words = limitTexts(frame)
  const { strategies } = groupFormTexts(frame)
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
              cell: (group) => `${groupOf(group, voltage).phases} × ${amps(frame, groupOf(group, voltage).limitAmps)}`,
            },
            { title: words.shares, wideOnly: true, cell: (group) => strategies[groupOf(group, voltage).strategy] },
          ]}
        />
      )}
    </Page>
  )
}

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
