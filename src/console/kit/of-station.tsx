import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointPath } from '../paths.ts'
import { TextLink } from './table.tsx'

/** The title of a page about something of one charge point, with the way to the charge point. */
export const OfStation: FC<{ frame: Frame; what: string; id: string }> = ({ frame, what, id }) => (
  <h1>
    {what} · <TextLink class="host" to={chargePointPath(frame, id)} text={id} />
  </h1>
)
