CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`family_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scopes` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`jkt` text,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `access_tokens_family` ON `access_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `access_tokens_grant` ON `access_tokens` (`grant_id`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`account_id` text,
	`user_id` text,
	`client_id` text,
	`grant_id` text,
	`ip` text
);
--> statement-breakpoint
CREATE INDEX `audit_events_account` ON `audit_events` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `authorization_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`family_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`scopes` text NOT NULL,
	`code_challenge` text NOT NULL,
	`nonce` text,
	`auth_time` integer NOT NULL,
	`sid` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`failures` integer NOT NULL,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `authorization_codes_expiry` ON `authorization_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`scopes` text NOT NULL,
	`charge_points` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer,
	`last_ip` text,
	`reuse_seen_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_active` ON `grants` (`user_id`,`client_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `grants_account` ON `grants` (`account_id`);--> statement-breakpoint
CREATE INDEX `grants_client` ON `grants` (`client_id`);--> statement-breakpoint
CREATE TABLE `interactions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`browser_hash` text,
	`client_id` text NOT NULL,
	`request` text NOT NULL,
	`user_id` text,
	`logged_in_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer
);
--> statement-breakpoint
CREATE INDEX `interactions_expiry` ON `interactions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `login_sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`sid` text NOT NULL,
	`user_id` text NOT NULL,
	`authenticated_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`password_mark` text NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `login_sessions_sid_unique` ON `login_sessions` (`sid`);--> statement-breakpoint
CREATE INDEX `login_sessions_user` ON `login_sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `oauth_client_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_client_secrets_client` ON `oauth_client_secrets` (`client_id`);--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`kind` text NOT NULL,
	`application_type` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`post_logout_redirect_uris` text NOT NULL,
	`scopes` text NOT NULL,
	`grant_types` text NOT NULL,
	`origin` text NOT NULL,
	`resource_server` integer,
	`links` text NOT NULL,
	`registration_token_hash` text,
	`disabled_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_account` ON `oauth_clients` (`account_id`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`family_id` text NOT NULL,
	`parent_hash` text,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scopes` text NOT NULL,
	`auth_time` integer NOT NULL,
	`sid` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`used_at` integer,
	`successor_hash` text,
	`sealed_pair` text,
	`revoked_at` integer,
	`jkt` text,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_family` ON `refresh_tokens` (`family_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_grant` ON `refresh_tokens` (`grant_id`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`active_from` integer NOT NULL
);
