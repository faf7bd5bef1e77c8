import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { Title } from '../kit/frame.tsx'
import { TextLink } from '../kit/table.tsx'
import { GROUPS, groupPath } from './paths.ts'

/** The title of a page about something of one group, with the way to the group. `children`: what can be done. */
export const OfGroup: FC<PropsWithChildren<{ frame: Frame; name: string; title: Child }>> = ({
  frame,
  name,
  title,
  children,
}) => (
  <>
    <p class="crumb">
      <a href={frame.root + GROUPS}>{frame.texts.limits}</a>
      {' / '}
      <TextLink to={groupPath(frame, name)} text={name} />
    </p>
    <Title text={title}>{children}</Title>
  </>
)
