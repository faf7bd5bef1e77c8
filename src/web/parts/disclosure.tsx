import type { FC, PropsWithChildren } from 'hono/jsx'

/** A form behind a button that opens it: what is seldom done does not stand above what is looked at every day. */
export const Disclosure: FC<PropsWithChildren<{ title: string; open: boolean }>> = ({ title, open, children }) => (
  <details class="fold" open={open || undefined}>
    <summary>{title}</summary>
    {children}
  </details>
)
