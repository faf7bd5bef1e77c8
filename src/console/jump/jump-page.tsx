import type { FC } from 'hono/jsx'
import { Page } from '../../web/layout.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Way } from '../kit/list.tsx'
import type { Visit } from '../visit.tsx'
import type { Group } from './matches.tsx'
import { jumpTexts } from './texts.ts'

export const JumpPage: FC<{ visit: Visit; wanted: string | undefined; groups: readonly Group[] }> = ({
  visit: { frame },
  wanted,
  groups,
}) => {
  const words = jumpTexts(frame)
  return (
    <Page frame={frame} title={words.title}>
      {wanted === undefined || wanted === '' ? (
        <h1>{words.title}</h1>
      ) : (
        <h1>
          {words.found} <bdi class="host">{wanted}</bdi>
        </h1>
      )}
      {groups.length === 0 && <p class="card">{wanted === '' ? words.noneRecent : words.none}</p>}
      {groups.map(({ title, matches, all }) => (
        <TableCard
          label={title}
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
