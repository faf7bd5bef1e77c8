import type { FC } from 'hono/jsx'
import { shownFigure } from '../figures.tsx'
import { NAVIGATION, type NavigationEntry } from '../navigation.ts'
import type { Frame, FrameVisitor } from './frame.ts'
import { Icon } from './icons.tsx'

export const DRAWER = 'pages'

export const SideBar: FC<{ frame: Frame; visitor: FrameVisitor }> = ({ frame, visitor }) => (
  <nav class="side" id={DRAWER} popover="auto" aria-label={frame.texts.navigation}>
    <a class="brand" href={frame.root || '/'}>
      <Icon name="brand" />
      Pilotwire
    </a>
    {NAVIGATION.map(({ name, entries }) => {
      const seen = entries.filter(({ who }) => who === 'anybody' || visitor[who])
      return (
        seen.length > 0 && (
          <>
            <h2>{frame.texts.groups[name]}</h2>
            <ul>
              {seen.map((entry) => (
                <li>
                  <Entry frame={frame} visitor={visitor} entry={entry} />
                </li>
              ))}
            </ul>
          </>
        )
      )
    })}
  </nav>
)

const Entry: FC<{ frame: Frame; visitor: FrameVisitor; entry: NavigationEntry }> = ({ frame, visitor, entry }) => (
  <a href={frame.root + entry.path || '/'} aria-current={isHere(frame, visitor, entry) ? 'page' : undefined}>
    <Icon name={entry.icon} />
    {frame.texts[entry.name]}
    {(visitor.counts[entry.path] ?? 0) > 0 && (
      <span class="count">{shownFigure(frame, visitor.counts[entry.path] ?? 0)}</span>
    )}
    {entry.path === '/alerts' && <OpenAlerts frame={frame} visitor={visitor} />}
  </a>
)

/** The first page is everything's; it is marked for itself alone. */
export function isHere(
  { root }: Frame,
  { at }: FrameVisitor,
  { path, also = [] }: Pick<NavigationEntry, 'path' | 'also'>,
): boolean {
  if (path === '') return at === (root || '/') || at === `${root}/`
  return [path, ...also].some((top) => at === root + top || at.startsWith(`${root}${top}/`))
}

/** More need not be counted: the operator has to act. */
export const MAX_ALERTS = 99

/** The only number in red: alerts that are on and not acknowledged. */
export const OpenAlerts: FC<{ frame: Frame; visitor: FrameVisitor }> = ({ frame, visitor: { openAlerts } }) =>
  openAlerts === 0 ? null : (
    <span class="open-count">
      {openAlerts > MAX_ALERTS ? `${MAX_ALERTS}+` : shownFigure(frame, openAlerts)}
      <span class="unseen"> {frame.texts.openAlerts}</span>
    </span>
  )
