import type { FC } from 'hono/jsx'
import { shownFigure } from '../figures.tsx'
import type { Frame, FrameVisitor } from './frame.ts'

/** More need not be counted: somebody is needed. */
export const MAX_ALERTS = 99

/** The only number in red: what is on and nobody has taken. */
export const OpenAlerts: FC<{ frame: Frame; visitor: FrameVisitor }> = ({ frame, visitor: { openAlerts } }) =>
  openAlerts === 0 ? null : (
    <span class="open-count">
      {openAlerts > MAX_ALERTS ? `${MAX_ALERTS}+` : shownFigure(frame, openAlerts)}
      <span class="unseen"> {frame.texts.openAlerts}</span>
    </span>
  )
