import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { Title } from '../../web/parts/title.tsx'
import { GROUPS, groupPath } from './place.ts'

type OfGroupProps = PropsWithChildren<{ frame: Frame; name: string; title: Child }>

export const OfGroup: FC<OfGroupProps> = ({ frame, name, title, children }) => (
  <Title
    text={title}
    up={[
      [frame.root + GROUPS, frame.texts.limits],
      [groupPath(frame, name), name],
    ]}
  >
    {children}
  </Title>
)
