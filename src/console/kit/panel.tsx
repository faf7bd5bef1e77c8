import type { Child, FC, PropsWithChildren } from 'hono/jsx'

export const Panel: FC<
  PropsWithChildren<{
    title: string
    said?: Child | undefined
    end?: Child | undefined
    foot?: Child | undefined
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
