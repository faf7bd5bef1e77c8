import type { FC } from 'hono/jsx'
import { shownFigure } from '../figures.tsx'
import { NAVIGATION, type NavigationEntry, OWN } from '../navigation.ts'
import type { Frame, FrameVisitor } from './frame.ts'
import { Icon } from './icons.tsx'

const DRAWER = 'pages'

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
function isHere(
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
const OpenAlerts: FC<{ frame: Frame; visitor: FrameVisitor }> = ({ frame, visitor: { openAlerts } }) =>
  openAlerts === 0 ? null : (
    <span class="open-count">
      {openAlerts > MAX_ALERTS ? `${MAX_ALERTS}+` : shownFigure(frame, openAlerts)}
      <span class="unseen"> {frame.texts.openAlerts}</span>
    </span>
  )

interface HeadProps {
  readonly frame: Frame
  readonly visitor: FrameVisitor
  readonly live: boolean
}

export const Head: FC<HeadProps> = ({ frame, visitor, live }) => {
  const { texts, root } = frame
  return (
    <header class="head">
      <button class="bare square phone-only" type="button" popovertarget={DRAWER} aria-label={texts.menu}>
        <Icon name="menu" />
      </button>
      {visitor.sees && (
        <search class="jump">
          <form action={`${root}/jump`}>
            <Icon name="search" />
            <input
              type="search"
              name="q"
              aria-label={texts.jump}
              placeholder={texts.jump}
              aria-keyshortcuts="/ Control+K"
              autocomplete="off"
            />
            <kbd class="wide-only">/</kbd>
          </form>
        </search>
      )}
      {live ? <LiveStatus frame={frame} /> : <span class="fresh" />}
      {visitor.sees && visitor.openAlerts > 0 && (
        <a class="button" href={`${root}/alerts`}>
          <OpenAlerts frame={frame} visitor={visitor} />
          <span class="wide-only" aria-hidden="true">
            {texts.openAlerts}
          </span>
        </a>
      )}
      <UserMenu frame={frame} visitor={visitor} />
    </header>
  )
}

/** Empty until the module says something: when the page last changed, or that it does no longer. */
const LiveStatus: FC<{ frame: Frame }> = ({ frame: { texts, timeZone } }) => (
  <p
    class="fresh"
    role="status"
    data-live-status
    data-updated={texts.live.updated}
    data-away={texts.live.away}
    data-over={texts.live.over}
    data-zone={timeZone}
  />
)

const MENU = 'own'

const UserMenu: FC<Omit<HeadProps, 'live'>> = ({ frame, visitor }) => {
  const { texts, root } = frame
  return (
    <>
      <button class="bare" type="button" popovertarget={MENU}>
        <span class="avatar" aria-hidden="true">
          {initials(visitor.name)}
        </span>
        <bdi class="me-name">{visitor.name}</bdi>
        <Icon name="down" />
      </button>
      <div class="menu" id={MENU} popover="auto">
        <p>
          <bdi>{visitor.name}</bdi>
          <span class="soft">{texts.roles[visitor.role]}</span>
        </p>
        <hr />
        {OWN.map((entry) => (
          <a href={root + entry.path} aria-current={isHere(frame, visitor, entry) ? 'page' : undefined}>
            {texts[entry.name]}
          </a>
        ))}
        <a href={`${root}/account`}>
          {texts.language}
          <span class="soft">{texts.languages[frame.language]}</span>
        </a>
        <a href={`${root}/account`}>
          {texts.timeZone}
          <span class="soft">{frame.timeZone}</span>
        </a>
        <hr />
        <form method="post" action={`${root}/logout`}>
          <input type="hidden" name="csrf" value={visitor.signOutCsrf} />
          <button type="submit">{texts.signOut}</button>
        </form>
      </div>
    </>
  )
}

function initials(name: string): string {
  const parts = name.split('@', 1)[0]?.split(/[\s._-]+/u) ?? []
  const letters = parts.filter((part) => part !== '').map((part) => [...part][0] ?? '')
  return letters.slice(0, 2).join('').toUpperCase()
}
