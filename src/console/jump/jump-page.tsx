import type { FC } from 'hono/jsx'
import { Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Way } from '../kit/list.tsx'
import { jumpTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'
import type { Group } from './matches.tsx'

export const JumpPage: FC<{ visit: Visit; requested: string | undefined; groups: readonly Group[] }> = ({
  visit: { frame },
  requested,
  groups,
}) => {
  const words = jumpTexts(frame)
  return (
    <Page frame={frame} title={words.title}>
      {requested === undefined || requested === '' ? (
        <h1>{words.title}</h1>
      ) : (
        <h1>
          {words.found} <bdi class="host">{requested}</bdi>
        </h1>
      )}
      {groups.length === 0 && <p class="card">{requested === '' ? words.noneRecent : words.none}</p>}
      {groups.map(({ title, matches, all }) => (
        <TableCard
          heading={title}
          rows={matches}
          columns={[
            { heads: true, cell: ({ to, text }) => <TextLink to={to} text={text} /> },
            { cell: ({ said }) => said },
          ]}
          after={all && <Way to={all} text={words.all} />}
        />
      ))}
      <p class="soft small">{words.hint}</p>
    </Page>
  )
}
