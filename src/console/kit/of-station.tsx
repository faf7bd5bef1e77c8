import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { TextLink } from '../../web/parts/table.tsx'
import { chargePointPath } from '../paths.ts'

/** The title of a page about something of one charge point, with the way to the charge point. */
export const OfStation: FC<{ frame: Frame; what: string; id: string }> = ({ frame, what, id }) => (
  <h1>
    {what} · <TextLink class="host" to={chargePointPath(frame, id)} text={id} />
  </h1>
)
