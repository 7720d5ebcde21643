/** As text, so that the agent bundled into one file needs no other beside it. */
export const xrayProto = `
syntax = "proto3";

// The few messages of Xray's API that the agent uses. Only field numbers and wire types have to match
// Xray's own definitions; the paths of the real methods are in xray-api.ts. On the wire Xray's TypedMessage
// is a type name and bytes; a message has the same form as bytes.
package sallyport.xray;

message VlessAccount {
  string id = 1;
  string flow = 2;
}

message ShadowsocksAccount {
  string password = 1;
  uint32 cipher_type = 2;
}

// Trojan's password, the key of Shadowsocks 2022 and Hysteria's auth all stand in the first field.
message SecretAccount {
  string secret = 1;
}

message TypedAccount {
  string type = 1;
  bytes value = 2;
}

message User {
  uint32 level = 1;
  string email = 2;
  TypedAccount account = 3;
}

message AddUserOperation {
  User user = 1;
}

message TypedAddUserOperation {
  string type = 1;
  AddUserOperation value = 2;
}

message AddUserRequest {
  string tag = 1;
  TypedAddUserOperation operation = 2;
}

message RemoveUserOperation {
  string email = 1;
}

message TypedRemoveUserOperation {
  string type = 1;
  RemoveUserOperation value = 2;
}

message RemoveUserRequest {
  string tag = 1;
  TypedRemoveUserOperation operation = 2;
}

message TagRequest {
  string tag = 1;
}

message InboundUsersRequest {
  string tag = 1;
  string email = 2;
}

message InboundUsers {
  repeated User users = 1;
}

message UserRule {
  string tag = 1;
  repeated string user_email = 7;
  string rule_tag = 19;
}

message Rules {
  repeated UserRule rule = 2;
}

message TypedRules {
  string type = 1;
  Rules value = 2;
}

message AddRulesRequest {
  TypedRules config = 1;
  bool should_append = 2;
}

message RuleItem {
  string tag = 1;
  string rule_tag = 2;
}

message RuleList {
  repeated RuleItem rules = 1;
}

message QueryStatsRequest {
  string pattern = 1;
  bool reset = 2;
}

message Stat {
  string name = 1;
  int64 value = 2;
}

message Stats {
  repeated Stat stat = 1;
}

message Nothing {}

service XrayApi {
  rpc AddUser(AddUserRequest) returns (Nothing);
  rpc RemoveUser(RemoveUserRequest) returns (Nothing);
  rpc RemoveInbound(TagRequest) returns (Nothing);
  rpc RemoveOutbound(TagRequest) returns (Nothing);
  rpc ListUsers(InboundUsersRequest) returns (InboundUsers);
  rpc AddRules(AddRulesRequest) returns (Nothing);
  rpc RemoveRule(TagRequest) returns (Nothing);
  rpc ListRules(Nothing) returns (RuleList);
  rpc QueryStats(QueryStatsRequest) returns (Stats);
}

// Nothing is ever called here; accounts are only put into bytes by it.
service Accounts {
  rpc Vless(VlessAccount) returns (Nothing);
  rpc Shadowsocks(ShadowsocksAccount) returns (Nothing);
  rpc Secret(SecretAccount) returns (Nothing);
}
`
