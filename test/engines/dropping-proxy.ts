import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy on loopback that can cut what goes through it. */
export interface DroppingProxy {
  readonly port: number
  /** Connections that are open now, and all that ever were. */
  readonly open: number
  readonly opened: number
  /** Cuts every connection; new ones are let through. */
  drop(): void
  /** Cuts every connection, and each new one at once, from now on. */
  cut(): void
  close(): Promise<void>
}

export async function droppingProxy(to: number): Promise<DroppingProxy> {
  const sockets = new Set<Socket>()
  let [opened, isCut] = [0, false]
  const server = createServer((socket) => {
    if (isCut) {
      socket.resetAndDestroy()
      return
    }
    opened++
    const other = connect(to, '127.0.0.1')
    sockets.add(socket)
    socket.pipe(other).pipe(socket)
    const end = (): void => {
      sockets.delete(socket)
      socket.destroy()
      other.destroy()
    }
    for (const one of [socket, other]) one.on('close', end).on('error', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return sockets.size
    },
    get opened() {
      return opened
    },
    drop,
    cut: () => {
      isCut = true
      drop()
    },
    close: () => {
      drop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
