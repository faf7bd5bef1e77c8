import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { Figure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'

export interface Tab {
  readonly to: string
  readonly text: Child
  readonly count?: string | undefined
  readonly isHere: boolean
}

type TabBarProps = { label: string; tabs: readonly Tab[]; more?: Child | undefined }

export const TabBar: FC<TabBarProps> = ({ label, tabs, more }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ to, text, count, isHere }) => (
      <a href={to} aria-current={isHere ? 'page' : undefined}>
        {text}
        {count !== undefined && <span class="count">{count}</span>}
      </a>
    ))}
    {more}
  </nav>
)

export const Segments: FC<{ label: string; tabs: readonly Tab[] }> = ({ label, tabs }) => (
  <nav class="segments end" aria-label={label}>
    {tabs.map(({ to, text, isHere }) => (
      <a href={to} aria-current={isHere ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

interface KeyFigure {
  readonly name?: string | undefined
  readonly label: string
  readonly figure: string
  readonly unit?: string | undefined
  readonly than?: Child | undefined
  readonly to: string
  readonly bad?: boolean | undefined
}

/** Each leads to the list that it counts (CONSOLE-A1). */
export const KeyFigures: FC<{ figures: readonly KeyFigure[]; label: string }> = ({ figures, label }) => (
  <nav class="card figures" aria-label={label}>
    {figures.map(({ name, label: what, figure, unit, than, to, bad }) => (
      <a href={to} class={bad ? 'bad' : undefined} data-figure={name}>
        <span>{what}</span> <Figure figure={figure} unit={unit} />
        {than !== undefined && <span>{than}</span>}
      </a>
    ))}
  </nav>
)

/** `loud`: no user takes care of it yet. `waits`: a decision is due, nothing is broken. */
export const Banner: FC<
  PropsWithChildren<{ title: Child; reported?: Child | undefined; tone: 'loud' | 'quiet' | 'waits' }>
> = ({ title, reported, tone, children }) => (
  <section
    class={`banner${tone === 'loud' ? '' : ' quiet'}${tone === 'waits' ? ' waits' : ''}`}
    role={tone === 'loud' ? 'alert' : undefined}
  >
    <Icon name="warn" />
    <p>
      <strong>{title}</strong>
      {reported !== undefined && (
        <>
          {tone === 'loud' ? <br /> : ' '}
          {reported}
        </>
      )}
    </p>
    {children !== undefined && <span class="row">{children}</span>}
  </section>
)

export const Nothing: FC<PropsWithChildren<{ text: string }>> = ({ text, children }) => (
  <div class="nothing">
    {text}
    {children !== undefined && <div>{children}</div>}
  </div>
)
