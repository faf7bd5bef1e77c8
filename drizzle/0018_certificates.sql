CREATE TABLE `certificate_authorities` (
	`record_version` integer NOT NULL,
	`name` text PRIMARY KEY NOT NULL,
	`key_kind` text NOT NULL,
	`certificate` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `certificate_requests` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`csr` text NOT NULL,
	`key_kind` text NOT NULL,
	`common_name` text NOT NULL,
	`type` text,
	`state` text NOT NULL,
	`reason` text,
	`chain` text,
	`work` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `certificate_requests_work` ON `certificate_requests` (`work`);--> statement-breakpoint
CREATE INDEX `certificate_requests_id` ON `certificate_requests` (`id`);--> statement-breakpoint
CREATE INDEX `certificate_requests_account_id_charge_point_id_id` ON `certificate_requests` (`account_id`,`charge_point_id`,`id`);--> statement-breakpoint
CREATE TABLE `installed_certificates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`hash` text NOT NULL,
	`reported_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `revoked_certificates` (
	`record_version` integer NOT NULL,
	`fingerprint` text PRIMARY KEY NOT NULL,
	`authority` text NOT NULL,
	`serial_number` text NOT NULL,
	`revoked_at` integer NOT NULL,
	`not_after` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `revoked_certificates_authority` ON `revoked_certificates` (`authority`);--> statement-breakpoint
CREATE TABLE `station_certificates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`serial_number` text NOT NULL,
	`authority` text,
	`subject` text NOT NULL,
	`issuer` text NOT NULL,
	`certificate` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`charge_point_id`, `fingerprint`)
);
--> statement-breakpoint
CREATE INDEX `station_certificates_fingerprint` ON `station_certificates` (`fingerprint`);--> statement-breakpoint
ALTER TABLE `charge_points` ADD `accept_expired` integer;--> statement-breakpoint
ALTER TABLE `charge_points` ADD `subject_check` text;