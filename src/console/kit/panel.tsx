import type { Child, FC, PropsWithChildren } from 'hono/jsx'

/** A part of a page with its title, what is said beside it, and on the other side a way on. */
export const Panel: FC<
  PropsWithChildren<{
    title: string
    said?: Child | undefined
    end?: Child | undefined
    foot?: Child | undefined
    /** What it holds reaches its edges. */
    edge?: boolean | undefined
    live?: string | undefined
  }>
> = ({ title, said, end, foot, edge, live, children }) => (
  <section class={edge ? 'card table' : 'card'} aria-label={title} data-live={live}>
    <header>
      <h2>{title}</h2>
      {said !== undefined && <span class="soft small">{said}</span>}
      {end !== undefined && <span class="row end">{end}</span>}
    </header>
    {children}
    {foot !== undefined && <footer>{foot}</footer>}
  </section>
)
