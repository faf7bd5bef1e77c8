CREATE TABLE `preferences` (
	`record_version` integer NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
);
