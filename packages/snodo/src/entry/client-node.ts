export { connect } from "../transports/connect-node.ts";
export type { ConnectOptions, ConnectTarget } from "../transports/connect.ts";
export type { StdioTarget } from "../transports/connect-target.ts";
export { ClientError, type ClientErrorReason, type Outcome } from "../client/client-error.ts";
export { RpcError } from "../jsonrpc/error.ts";
export type { ResponseMessage } from "../jsonrpc/message.ts";
export type { Cancellation } from "../core/cancellation.ts";
export type { Client } from "../client/client.ts";
export type {
  CallFailure,
  CallResult,
  CallSuccess,
  ServerDescription,
} from "../client/decode-result.ts";
export type { ClientWarning, Progress, RequestOptions, WarningKind } from "../client/options.ts";
export type { ListedTool, ToolProblem } from "../client/tool-catalog.ts";
export type { ClientTransport, OutgoingRequest, TransportEvents } from "../client/transport.ts";
